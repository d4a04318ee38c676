import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generate, staleFiles } from '../../scripts/gen.ts'

test('the generated files are fresh; npm run gen writes them', async () => {
  expect(await staleFiles(join(import.meta.dirname, '..', '..'))).toEqual([])
})

test('a file that is missing is stale, and is named', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'gen-'))
  expect(await staleFiles(empty)).toEqual(Object.keys(await generate()))
})

test('the same sources give the same files, without a place or a moment in them', async () => {
  const files = await generate()
  expect(await generate()).toEqual(files)
  for (const [path, text] of Object.entries(files)) {
    expect(text, path).not.toContain(process.cwd())
    expect(text.endsWith('\n'), path).toBe(true)
  }
})

test('the page says of every given path what is here, and what is not yet', async () => {
  const { 'docs/interface.md': page = '' } = await generate()
  expect(page).toContain('| Customers | `/api/v3/customers` | base | GET, POST |')
  expect(page).toContain('| Customers | `/api/v3/customers/{customer_id}?soft_delete=true` | base | DELETE |')
  expect(page.match(/^\| [^|]+ \| `\/[^|]+` \| (?:base|API) \| (?:[A-Z, ]+|not yet) \|$/gm)).toHaveLength(19)
})
