/** Which columns of a table hold JSON, and which hold a truth value as 0 or 1. */
export interface Coding {
  json?: readonly string[]
  booleans?: readonly string[]
}

/** A row as the contract's record has it. */
export function decode<T>(row: object, { json = [], booleans = [] }: Coding): T {
  const record = { ...row } as Record<string, unknown>
  for (const column of json) if (typeof record[column] === 'string') record[column] = JSON.parse(record[column])
  for (const column of booleans) if (column in record) record[column] = record[column] === 1
  return record as T
}

/** Fields as the table keeps them. `undefined` ones are left out. */
export function encode(fields: object, { json = [] }: Coding): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(fields)) {
    if (value !== undefined) columns[column] = json.includes(column) && value !== null ? JSON.stringify(value) : value
  }
  return columns
}

/** What is compared instead of a text, so that case, accents' encoding and width do not matter. */
export const keyOf = (text: string): string => text.normalize('NFKC').toLowerCase()
