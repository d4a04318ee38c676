'use strict'
// Stands in for node-gyp-build in the bundle: finds the prebuilt binary of @photostructure/sqlite by its name, in the
// two places where npm puts the package, and leaves every other case to node-gyp-build itself.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

module.exports = function load(root) {
  const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const file = join('prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`)
  for (const modules of [join(root, 'node_modules'), join(root, '..')]) {
    const binary = join(modules, '@photostructure', 'sqlite', file)
    if (existsSync(binary)) {
      const module = { exports: {} }
      process.dlopen(module, binary)
      return module.exports
    }
  }
  const { createRequire } = require('node:module')
  const fromHere = createRequire(join(root, 'package.json'))
  const folder = join(fromHere.resolve('@photostructure/sqlite/package.json'), '..')
  return createRequire(join(folder, 'package.json'))('node-gyp-build')(folder)
}
