import { expect, test } from 'vitest'
import { contract } from '../../src/contract/index.ts'
import { clientFor, errorFrom, json, openDoor, type Seen, serve } from './support.ts'

const { customers } = contract

const asked = ({ url }: Seen) => Object.fromEntries(new URL(url, 'http://service').searchParams)

/** A service with so many customers, whose token is the number of the next row. */
async function serveRows(total: number) {
  return serve((response, seen) => {
    const { count, page_token = '0' } = asked(seen)
    const from = Number(page_token)
    const to = Math.min(total, from + Number(count))
    const collection = Array.from({ length: to - from }, (_, at) => ({ id: from + at + 1 }))
    const next = to < total ? String(to) : null
    json(response, 200, {
      collection,
      pagination: { count: to - from, next_page: next && 'http://127.0.0.1:9/evil', next_page_token: next },
    })
  })
}

async function collect(pages: AsyncGenerator<{ collection: { id: number }[]; pagination: { next_page_token: string | null } }>) {
  const sizes: number[] = []
  let last: string | null = null
  for await (const { collection, pagination } of pages) {
    sizes.push(collection.length)
    last = pagination.next_page_token
  }
  return { sizes, last }
}

test('all pages, by their tokens', async () => {
  const service = await serveRows(250)
  const client = clientFor(openDoor(service.url, { many: true }))
  expect(await collect(client.pages(customers.list, { query: { search: 'a' } }))).toEqual({ sizes: [100, 100, 50], last: null })
  expect(service.seen.map(asked)).toEqual([
    { search: 'a', count: '100' },
    { search: 'a', count: '100', page_token: '100' },
    { search: 'a', count: '100', page_token: '200' },
  ])
})

test('no more than the limit is asked for, and the token tells that there is more', async () => {
  const service = await serveRows(250)
  const client = clientFor(openDoor(service.url))
  expect(await collect(client.pages(customers.list, {}, { limit: 130 }))).toEqual({ sizes: [100, 30], last: '130' })
  expect(service.seen.map(asked).map(({ count }) => count)).toEqual(['100', '30'])
  expect(await collect(client.pages(customers.list, {}, { limit: 0 }))).toEqual({ sizes: [], last: null })
})

test('a page size and a place to begin are kept', async () => {
  const service = await serveRows(25)
  const client = clientFor(openDoor(service.url))
  expect(await collect(client.pages(customers.list, { query: { count: 10, page_token: '5' } }))).toEqual({ sizes: [10, 10], last: null })
})

test('rows beyond the limit are cut', async () => {
  const service = await serve((response) => json(response, 200, { collection: [1, 2, 3], pagination: { next_page_token: null } }))
  const client = clientFor(openDoor(service.url))
  expect(await collect(client.pages(customers.list, {}, { limit: 2 }))).toEqual({ sizes: [2], last: null })
})

test.each([
  [['same', 'same'], 2],
  [['a', 'b', 'a'], 3],
])('a list that leads in a circle %j is a bad reply', async (tokens, most) => {
  const service = await serve((response, _, nth) => {
    json(response, 200, { collection: [{ id: nth }], pagination: { next_page_token: tokens[(nth - 1) % tokens.length] } })
  })
  const client = clientFor(openDoor(service.url))
  expect(await errorFrom(collect(client.pages(customers.list, {})))).toMatchObject({ code: 'bad_reply', exit: 9 })
  expect(service.seen.length).toBe(most)
})
