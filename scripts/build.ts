/**
 * src/ → dist/, in CommonJS, because that starts faster. esbuild splits our code into pieces, at every `await import()`, and each
 * piece is turned into CommonJS after, since esbuild splits only ES modules. The pieces of our own code all go into one file, the
 * core, of which a run uses what it asks for; a piece with a package that few commands need is a file of its own.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { build, type Metafile, type Plugin, transform } from 'esbuild'
import { rootHelp } from '../src/cli/help.ts'
import { entries } from '../src/commands/index.ts'
import { licensesOf } from './licenses.ts'

const root = join(__dirname, '..')
const dist = join(root, 'dist')

async function main(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await rm(dist, { recursive: true, force: true })
  await mkdir(dist, { recursive: true })
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    outdir: 'dist',
    // The name holds the content, so that what is cached of a file can never be taken for another's.
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    external: ['pg-native'],
    plugins: [withoutChildProcess],
    // The search for the prebuilt binary, without loading a package to do it.
    alias: {
      '@photostructure/sqlite': join(root, 'node_modules/@photostructure/sqlite/dist/index.cjs'),
      'node-gyp-build': join(root, 'scripts', 'sqlite-binary.js'),
    },
    // What the launcher reads fastest.
    charset: 'ascii',
    // As they are written: as texts they would be read when a piece is loaded, needed or not.
    supported: { 'regexp-unicode-property-escapes': true },
    define: { BOOKCTL_VERSION: JSON.stringify(version), 'import.meta.url': 'undefined' },
  })
  const heavy = heavyPieces(metafile)
  const pieces = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const name = nameOf(path)
      const renamed = text.trim().replaceAll(/(["'])(\.\/[\w-]+)\.js\1/g, '$1$2.cjs$1')
      return { name, code: heavy.has(name) ? await commonJs(renamed) : leanCommonJs(name, renamed) }
    }),
  )
  failMissing(pieces)
  failCycles(metafile)
  const core = pieces.filter(({ name }) => !heavy.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const coreName = await writeCore(core)
  for (const { name, code } of pieces) if (heavy.has(name)) await writeFile(join(dist, name), code)

  const main = pieces.find(({ name }) => name.startsWith('main-'))?.name
  const words = entries.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  await writeFile(join(dist, 'start.json'), `${JSON.stringify({ version, core: coreName, main, words })}\n`)
  await writeFile(join(dist, 'help.txt'), rootHelp(entries))
  await writeFile(join(dist, 'LICENSES.txt'), await licensesOf(metafile, root))
  await writeFile(join(dist, 'pieces.json'), `${JSON.stringify(sourcesOf(metafile), null, 1)}\n`)
  if (process.argv.includes('--meta')) await writeFile(join(dist, 'meta.json'), JSON.stringify(metafile))
}

const nameOf = (path: string): string => (path.split(/[/\\]/).at(-1) as string).replace(/\.js$/, '.cjs')

/** Commander can run programs of its own, which we never ask it to; child_process would bring half of node with it. */
const withoutChildProcess: Plugin = {
  name: 'without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes(`${sep}commander${sep}`) ? { path: 'child_process', namespace: 'none' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {}', loader: 'js' }))
  },
}

/** Which of our sources each piece holds: for the tests, which ask what a run has loaded. */
const sourcesOf = ({ outputs }: Metafile): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(outputs).map(([path, { inputs }]) => [
      nameOf(path),
      Object.keys(inputs).filter((input) => input.startsWith('src/') && (inputs[input]?.bytesInOutput ?? 0) > 0),
    ]),
  )

/** @throws where a piece asks for one that there is not */
function failMissing(pieces: { name: string; code: string }[]): void {
  const names = new Set(pieces.map(({ name }) => name))
  for (const { name, code } of pieces) {
    for (const [, asked = ''] of code.matchAll(/["']\.\/([\w-]+\.cjs)["']/g))
      if (!names.has(asked)) throw new Error(`${name} asks for ${asked}.`)
  }
}

/** @throws where pieces import each other in a circle: one of them would see the other's exports before they are there */
function failCycles({ outputs }: Metafile): void {
  const done = new Set<string>()
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) throw new Error(`Pieces import each other: ${[...way, path].join(', ')}.`)
    if (done.has(path)) return
    for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !external) visit(next, [...way, path])
    done.add(path)
  }
  for (const path of Object.keys(outputs)) visit(path, [])
}

/** Packages that nearly every command needs. Pieces with code of any other, or with data, are files of their own. */
const light = ['commander', 'valibot', 'rou3', 'sql-template-tag', '@photostructure/sqlite']

function heavyPieces({ outputs }: Metafile): Set<string> {
  const isHeavy = (inputs: string[]) =>
    inputs.some(
      (input) =>
        input.endsWith('.json') || (input.includes('node_modules/') && !light.some((name) => input.includes(`node_modules/${name}/`))),
    )
  return new Set(Object.entries(outputs).flatMap(([path, { inputs }]) => (isHeavy(Object.keys(inputs)) ? [nameOf(path)] : [])))
}

/** Our own pieces in one file: a function that gives each of them as a function, so that one nobody asks for costs no more than its text. */
async function writeCore(pieces: { name: string; code: string }[]): Promise<string> {
  const cases = pieces.map(
    ({ name, code }) => `case${JSON.stringify(name)}:return function(exports,require,module,__filename,__dirname){${code}\n};`,
  )
  const text = `(function(piece){switch(piece){${cases.join('')}}})`
  const name = `core-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.cjs`
  await writeFile(join(dist, name), text)
  return name
}

/**
 * One of esbuild's pieces as the body of a CommonJS function: a constant for each import, an assignment for each export.
 * esbuild's own way to CommonJS would define every export twice, as a getter, which takes longer than most pieces run.
 */
function leanCommonJs(name: string, text: string): string {
  const imported = (_: string, what: string | undefined, from: string) => {
    if (what === undefined) return `require(${from});`
    return `const ${what.replace(/^\*\s*as /, '').replaceAll(' as ', ':')}=require(${from});`
  }
  const exported = (_: string, list: string) =>
    list.replaceAll(/\s*([\w$]+)(?: as ([\w$]+))?\s*,?/g, (_, local: string, as = local) => `exports.${as}=${local};`)
  const body = text
    .replaceAll(/(?<=^|[;}\n])import\b\s*(?:([^"'();]+?)\s*from\s*)?("[^"]*");?/g, imported)
    .replace(/export\s*\{([^}]*)\};?$/, exported)
    .replaceAll(/\bimport\(("[^"]*")\)/g, 'Promise.resolve($1).then(require)')
  const code = `"use strict";${body}`
  try {
    new Function('exports', 'require', 'module', '__filename', '__dirname', code)
  } catch (error) {
    throw new Error(`${name} did not become CommonJS: ${(error as Error).message}`)
  }
  return code
}

/** The same for a piece with packages in it, by esbuild. */
async function commonJs(text: string): Promise<string> {
  const options = { format: 'cjs', platform: 'node', target: 'node20', minify: true, supported: { 'dynamic-import': false } } as const
  return (await transform(text, options)).code
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
})
