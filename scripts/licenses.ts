import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** The licenses of every package whose code is in the bundle, as their terms ask. */
export async function licensesOf({ outputs }: Metafile, root: string): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const folders = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
  const texts = await Promise.all([...folders].sort().map((folder) => licenseOf(join(root, folder))))
  return `bookctl contains code of these packages.\n\n${texts.join('\n')}`
}

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const file = (await readdir(folder)).find((one) => /^(?:licen[cs]e|copying)/i.test(one))
  const text = file ? await readFile(join(folder, file), 'utf8') : `License: ${license}\n`
  return `${'='.repeat(78)}\n${name} ${version} (${license})\n\n${text}`
}
