import { beforeEach, describe, expect, test } from 'vitest'
import { type Business, createHomes } from '../support/binary.ts'

const homes = createHomes()
let business: Business

beforeEach(async () => {
  business = await homes.business()
})

/** A line for a shell in which 9 is a pipe whose reader is gone before anything is written. */
const withClosed = (line: string) => business.shell(`exec 9> >(:); wait $!; ${line}`)

/** A start time in two weeks, in words: what it came to is said on stderr before anything is done. */
async function freeStart(): Promise<string> {
  const { collection } = await business.json(['staff', 'available', '--type', '5', '--from', 'in 14 days', '--to', 'in 20 days'])
  return (collection[0].start_time as string).slice(0, 16).replace('T', ' ')
}

describe('nobody listens on stderr', () => {
  test('what is asked for is done all the same', async () => {
    const create = `bookctl appointments create --type 5 --customer 1 --start '${await freeStart()}' --tz UTC -o ids`
    const { exit, stdout } = await withClosed(`${create} 2>&9`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^\d+\n$/) })
    expect(await business.json(['appointments', 'get', stdout.trim()])).toMatchObject({ id: Number(stdout) })
  })

  test.each(['2>&9', '2>/dev/full'])('a failure keeps its exit code: %s', async (closed) => {
    expect((await withClosed(`bookctl customers get 99999 ${closed}`)).exit).toBe(4)
    expect((await withClosed(`bookctl customers list --debug --limit 1 --require-complete ${closed}`)).exit).toBe(12)
  })
})
