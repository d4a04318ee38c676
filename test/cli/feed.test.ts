import { expect, test } from 'vitest'
import { createFeed } from '../../src/cli/feed.ts'

async function read<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('what is pushed is read in its order, before and after somebody waits for it', async () => {
  const feed = createFeed<number>()
  feed.push(1)
  const reading = read(feed.items)
  feed.push(2)
  await new Promise((resolve) => setImmediate(resolve))
  feed.push(3)
  feed.push(4)
  feed.end()
  expect(await reading).toEqual([1, 2, 3, 4])
})

test('an end with an error is thrown behind what came before, and the first end counts', async () => {
  const feed = createFeed<number>()
  feed.push(1)
  feed.end(new Error('first'))
  feed.end(new Error('second'))
  const read: number[] = []
  const reading = async () => {
    for await (const item of feed.items) read.push(item)
  }
  await expect(reading()).rejects.toThrow('first')
  expect(read).toEqual([1])
})
