'use strict'
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

/**
 * Runs the program: our own code is one file of many pieces, each heavy package another file. What V8 made of a file is
 * kept in the user's cache directory, for each command word apart, since it holds only the functions that were used.
 * Names hold the content's hash and the version of node, and V8 refuses what it did not make. A cache that is missing,
 * broken or cannot be written costs a few milliseconds and nothing else.
 */
exports.load = function load(dist, { version, core, main, words }, word) {
  const cache = cacheDirectory(version)
  const suffix = words.includes(word) ? word : 'other'
  const loaded = new Map()
  const scripts = []
  const pieces = compile(core)

  function compile(file) {
    const filename = path.join(dist, file)
    // The build writes ASCII, which this reads fastest.
    const text = fs.readFileSync(filename, 'latin1')
    const source = file === core ? text : `(function(exports,require,module,__filename,__dirname){${text}\n})`
    const name = `${file}.${suffix}`
    const { code, used } = read(path.join(cache, name))
    const script = new vm.Script(source, { filename, cachedData: code })
    scripts.push({ file, name, script, used: code && !script.cachedDataRejected ? used : undefined })
    return script.runInThisContext()
  }

  function requirePiece(name) {
    if (!name.startsWith('./')) return require(name)
    const file = name.slice(2)
    const known = loaded.get(file)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const run = pieces[file] ?? compile(file)
    run(module.exports, requirePiece, module, path.join(dist, file), dist)
    return module.exports
  }

  // At the end, when the functions that were used have been compiled. A run that went other ways than those before adds its own.
  process.once('exit', () => {
    for (const { file, name, script, used } of scripts) {
      const now = file === core ? [...loaded.keys()].filter((piece) => piece in pieces) : []
      if (used && now.every((piece) => used.includes(piece))) continue
      write(cache, name, script.createCachedData(), [...new Set([...(used ?? []), ...now])])
    }
  })
  requirePiece(`./${main}`)
}

function cacheDirectory(version) {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA, USERPROFILE } = process.env
  const home = HOME || USERPROFILE || '/'
  const given = XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined
  const base = given ?? (process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : path.join(home, '.cache'))
  return path.join(base, 'bookctl', `code-${version}-node-${process.versions.node}-${process.arch}`)
}

/** A cache: V8's code, the names of the pieces that were used, and the length of these names. */
function read(file) {
  try {
    const all = fs.readFileSync(file)
    const end = all.length - 4
    const start = end - all.readUInt32LE(end)
    return { code: all.subarray(0, start), used: JSON.parse(all.latin1Slice(start, end)) }
  } catch {
    return {}
  }
}

function write(directory, name, code, used) {
  try {
    const names = Buffer.from(JSON.stringify(used), 'latin1')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(names.length)
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
    const temporary = path.join(directory, `${name}.${process.pid}`)
    fs.writeFileSync(temporary, Buffer.concat([code, names, length]), { mode: 0o600 })
    fs.renameSync(temporary, path.join(directory, name))
  } catch {
    // A cache, no more.
  }
}
