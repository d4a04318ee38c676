'use strict'
// For `node --require`: tells on stderr, at the end, which files of dist/ and which packages' pieces a run of bookctl read and ran.
const fs = require('node:fs')
const path = require('node:path')

const read = new Set()
const readFileSync = fs.readFileSync
fs.readFileSync = (file, ...rest) => {
  if (typeof file === 'string' && path.basename(path.dirname(file)) === 'dist') read.add(path.basename(file))
  return readFileSync(file, ...rest)
}
process.on('exit', () => {
  const builtins = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13))
  fs.writeSync(2, `\n<read>${JSON.stringify({ files: [...read], builtins })}</read>\n`)
})
