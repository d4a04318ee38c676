import { fail } from '../../contract/errors.ts'

/** The record that was looked for. @throws AppError `not_found` that names it; another organization's is not found either */
export function found<T>(record: T | undefined, what: string, id: number | string): T {
  return record ?? fail('not_found', `There is no ${what} ${id}.`)
}

/** The fields of a body that are there, to be laid over a record. */
export function given<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never
}
