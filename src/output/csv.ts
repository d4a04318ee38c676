import { stringify } from 'csv-stringify/sync'
import { isScalar } from './view.ts'

/** One record of RFC 4180, ended by `\n`; cells a spreadsheet would run are guarded by a leading `'`. */
export function csvLine(values: unknown[]): string {
  return stringify([values.map(cellOf)], { record_delimiter: '\n', quoted_empty: values.length === 1 })
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!isScalar(value)) return JSON.stringify(value)
  return typeof value === 'string' ? guarded(value) : String(value)
}

/** The full-width forms count too: spreadsheets set to Japanese or Chinese read them as formulas. */
const guarded = (text: string) => (/^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)
