#!/usr/bin/env node
'use strict'
// The launcher: answers what needs no program, and otherwise loads dist/ with the code V8 compiled last time.
const { readFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')

const dist = join(__dirname, '..', 'dist')
const start = JSON.parse(readFileSync(join(dist, 'start.json'), 'utf8'))
const [first, ...more] = process.argv.slice(2)

if (more.length === 0 && (first === '--version' || first === '-V')) print(`${start.version}\n`)
else if (more.length === 0 && (first === undefined || first === '--help' || first === '-h')) {
  print(readFileSync(join(dist, 'help.txt'), 'utf8'))
} else require('./load.js').load(dist, start, first)

/** Few enough bytes to go out at once. Node's own stream, which takes a tenth of the time of `node -e 0`, is for where they do not. */
function print(text) {
  try {
    writeSync(1, text)
  } catch (error) {
    // Nobody reads any more: as `head` does, no failure of ours.
    if (error.code !== 'EPIPE') process.stdout.write(text)
  }
}
