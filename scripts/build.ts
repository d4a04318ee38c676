/**
 * src/ → dist/: one small file for each part that is loaded on its own, in CommonJS, because that starts faster.
 * esbuild splits only ES modules, so it splits first, and each piece is turned into CommonJS after.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, transform } from 'esbuild'
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
    external: ['@photostructure/sqlite', 'pg-native'],
    define: { BOOKCTL_VERSION: JSON.stringify(version) },
    banner: { js: '' },
    mainFields: ['module', 'main'],
    conditions: ['node'],
  })
  let main = ''
  for (const { path, text } of outputFiles) {
    const name = (path.split(/[/\\]/).at(-1) as string).replace(/\.js$/, '.cjs')
    if (name.startsWith('main-')) main = name
    await writeFile(join(dist, name), await commonJs(text))
  }
  await writeFile(join(dist, 'start.json'), `${JSON.stringify({ version, main })}\n`)
  await writeFile(join(dist, 'help.txt'), rootHelp(entries))
  await writeFile(join(dist, 'LICENSES.txt'), await licensesOf(metafile, root))
  await writeFile(join(dist, 'meta.json'), JSON.stringify(metafile))
}

async function commonJs(text: string): Promise<string> {
  const renamed = text.replaceAll(/(["'])(\.\/[\w-]+)\.js\1/g, '$1$2.cjs$1')
  const { code } = await transform(renamed, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'undefined' },
  })
  return code
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
})
