/**
 * Writes what is derived from the contract and from the command table: completions/, docs/openapi.json and
 * docs/interface.md. With --check it writes nothing, and exits 1 naming the files that are stale.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadTree } from '../src/cli/completion-tree.ts'
import { completionScript, type Shell } from '../src/cli/completions.ts'
import { entries } from '../src/commands/index.ts'
import { contract } from '../src/contract/index.ts'
import { openapi } from '../src/contract/openapi.ts'
import { interfacePage } from './interface-page.ts'

const scripts: Record<string, Shell> = { 'bookctl.bash': 'bash', _bookctl: 'zsh', 'bookctl.fish': 'fish', 'bookctl.ps1': 'powershell' }

/** Every generated file by its path in the repository; the same for the same sources. */
export async function generate(): Promise<Record<string, string>> {
  const tree = await loadTree(entries)
  const completions = Object.entries(scripts).map(([name, shell]) => [`completions/${name}`, completionScript(shell, tree)])
  return {
    ...Object.fromEntries(completions),
    'docs/openapi.json': `${JSON.stringify(openapi(contract), null, 2)}\n`,
    'docs/interface.md': interfacePage(contract, tree),
  }
}

/** The generated files of a repository that are not what they should be. */
export async function staleFiles(root: string): Promise<string[]> {
  const wanted = Object.entries(await generate())
  const found = await Promise.all(wanted.map(([path]) => readFile(join(root, path), 'utf8').catch(() => undefined)))
  return wanted.flatMap(([path, text], index) => (found[index] === text ? [] : [path]))
}

async function main(root: string): Promise<void> {
  const stale = await staleFiles(root)
  if (process.argv.includes('--check')) {
    for (const path of stale) process.stderr.write(`${path} is stale. Run: npm run gen\n`)
    if (stale.length > 0) process.exitCode = 1
    return
  }
  const files = await generate()
  for (const path of stale) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), files[path] as string)
    process.stdout.write(`Wrote ${path}\n`)
  }
}

if (process.argv[1]?.endsWith('gen.ts')) {
  main(join(__dirname, '..')).catch((error: unknown) => {
    process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 1
  })
}
