#!/usr/bin/env node
'use strict'
// The launcher: answers what needs no program, and otherwise runs dist/ with the code that V8 compiled last time.
// Paths are joined by hand: node compiles its own path when it is first used, which takes longer than this file.
const fs = require('node:fs')

const dist = `${__dirname}/../dist`
const { version, core, main, words } = JSON.parse(fs.readFileSync(`${dist}/start.json`, 'utf8'))
const [first, ...more] = process.argv.slice(2)

if (more.length === 0 && (first === '--version' || first === '-V')) print(`${version}\n`)
else if (more.length === 0 && (first === undefined || first === '--help' || first === '-h')) {
  print(fs.readFileSync(`${dist}/help.txt`, 'utf8'))
} else run(words.includes(first) ? first : 'other')

/** Few enough bytes to go out at once. Node's own stream, which takes a tenth of the time of `node -e 0`, is for where they do not. */
function print(text) {
  try {
    fs.writeSync(1, text)
  } catch (error) {
    // Nobody reads any more: as `head` does, no failure of ours.
    if (error.code !== 'EPIPE') process.stdout.write(text)
  }
}

/**
 * Runs the program: our own code is one file of many pieces, each heavy package another file. What V8 made of a file is
 * kept in the user's cache directory, for each command word apart, since it holds only the functions that were used.
 * Names hold the content's hash and the version of node, and V8 refuses what it did not make. A cache that is missing,
 * broken or cannot be written costs a few milliseconds and nothing else.
 */
function run(word) {
  const { Script } = require('node:vm')
  const cache = cacheDirectory()
  const loaded = new Map()
  const scripts = []
  const own = []
  const pieceOf = compile(core)

  function compile(file) {
    const filename = `${dist}/${file}`
    // The build writes ASCII, which this reads fastest.
    const text = fs.readFileSync(filename, 'latin1')
    const source = file === core ? text : `(function(exports,require,module,__filename,__dirname){${text}\n})`
    const name = `${file}.${word}`
    const { code, used } = readCode(`${cache}/${name}`)
    const script = new Script(source, { filename, cachedData: code })
    scripts.push({ file, name, script, used: code && !script.cachedDataRejected ? used : undefined })
    return script.runInThisContext()
  }

  function requirePiece(name) {
    const known = loaded.get(name)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(name, module)
    if (!name.startsWith('./')) {
      module.exports = require(name)
      return module.exports
    }
    const file = name.slice(2)
    const piece = pieceOf(file)
    if (piece) own.push(file)
    ;(piece ?? compile(file))(module.exports, requirePiece, module, `${dist}/${file}`, dist)
    return module.exports
  }

  // At the end, when the functions that were used have been compiled. A run that went other ways than those before adds its own.
  process.once('exit', () => {
    for (const { file, name, script, used } of scripts) {
      const now = file === core ? own : []
      if (used && now.every((piece) => used.includes(piece))) continue
      writeCode(cache, name, script.createCachedData(), [...new Set([...(used ?? []), ...now])])
    }
  })
  requirePiece(`./${main}`)
}

function cacheDirectory() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA, USERPROFILE } = process.env
  const given = /^(?:[/\\]|[a-z]:[/\\])/i.test(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined
  const own = process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : `${HOME || USERPROFILE || ''}/.cache`
  return `${given ?? own}/bookctl/code-${version}-node-${process.versions.node}-${process.arch}`
}

/** A cache: V8's code, the names of the pieces that were used, and the length of these names. */
function readCode(file) {
  try {
    const all = fs.readFileSync(file)
    const end = all.length - 4
    const start = end - all.readUInt32LE(end)
    return { code: all.subarray(0, start), used: JSON.parse(all.latin1Slice(start, end)) }
  } catch {
    return {}
  }
}

function writeCode(directory, name, code, used) {
  try {
    const names = Buffer.from(JSON.stringify(used), 'latin1')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(names.length)
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
    const temporary = `${directory}/${name}.${process.pid}`
    fs.writeFileSync(temporary, Buffer.concat([code, names, length]), { mode: 0o600 })
    fs.renameSync(temporary, `${directory}/${name}`)
  } catch {
    // A cache, no more.
  }
}
