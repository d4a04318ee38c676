import type { Look, View } from '../../src/output/view.ts'

export const look = (given: Partial<Look> = {}): Look => ({
  format: 'table',
  terminal: false,
  width: 100,
  color: false,
  zone: 'Europe/Paris',
  accessible: false,
  ...given,
})

export const people: View = {
  columns: [
    { field: 'id', title: 'ID', weight: 0 },
    { field: 'name', title: 'Name', weight: 1 },
    { field: 'email', title: 'E-mail', weight: 2 },
    { field: 'phone', title: 'Phone', weight: 4 },
    { field: 'created_at', title: 'Created', weight: 3 },
  ],
  empty: 'No customers.',
}

export const person = (id: number, name: string, rest: Record<string, unknown> = {}) => ({
  id,
  name,
  email: `p${id}@example.com`,
  phone: null,
  custom_fields: {},
  created_at: '2026-12-01T08:00:00.000000Z',
  ...rest,
})

export async function* from<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
