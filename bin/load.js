'use strict'
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

/**
 * Loads the pieces of dist/ by name. What V8 made of each is kept in the user's cache directory; its name holds the
 * content's hash and the version of node, and V8 refuses what it did not make. A cache that is missing, broken or
 * cannot be written costs a few milliseconds and nothing else.
 */
exports.load = function load(dist, main, version) {
  const cache = cacheDirectory(version)
  const loaded = new Map()
  const compiled = []

  function requirePiece(name) {
    if (!name.startsWith('./')) return require(name)
    const file = name.slice(2)
    const known = loaded.get(file)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const filename = path.join(dist, file)
    const source = `(function(exports,require,module,__filename,__dirname){${fs.readFileSync(filename, 'utf8')}\n})`
    const cachedData = read(path.join(cache, `${file}.cache`))
    const script = new vm.Script(source, { filename, cachedData })
    if (!cachedData || script.cachedDataRejected) compiled.push([file, script])
    script.runInThisContext()(module.exports, requirePiece, module, filename, dist)
    return module.exports
  }

  // At the end, when the functions that were used have been compiled too.
  process.once('exit', () => {
    for (const [file, script] of compiled) write(cache, `${file}.cache`, script)
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

function read(file) {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

function write(directory, name, script) {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
    const temporary = path.join(directory, `${name}.${process.pid}`)
    fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600 })
    fs.renameSync(temporary, path.join(directory, name))
  } catch {
    // A cache, no more.
  }
}
