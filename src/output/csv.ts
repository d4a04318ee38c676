import { stringify } from 'csv-stringify/sync'
import { isScalar, type Look, safeLines } from './view.ts'

/**
 * One record of RFC 4180, ended by `\n`; cells a spreadsheet would run are guarded by a leading `'`. On a terminal it is made
 * harmless there; elsewhere every character is data.
 */
export function csvLine(values: unknown[], { terminal }: Pick<Look, 'terminal'>): string {
  const line = stringify([values.map(cellOf)], { record_delimiter: '\n', quoted_empty: values.length === 1 })
  return terminal ? safeLines(line) : line
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!isScalar(value)) return JSON.stringify(value)
  return typeof value === 'string' ? guarded(value) : String(value)
}

/** The full-width forms count too: spreadsheets set to Japanese or Chinese read them as formulas. */
const guarded = (text: string) => (/^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)
