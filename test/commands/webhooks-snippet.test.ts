import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { snippet } from '../../src/commands/webhooks-snippet.ts'
import { signedHeaders } from '../../src/service/delivery/sign.ts'

type Check = (headers: Record<string, string>, body: string) => boolean

/** What somebody pastes into their receiver, as a function. */
function pasted(code: string): Check {
  return new Function('require', `${code}\nreturn isGenuine`)(createRequire(__filename)) as Check
}

const guide = readFileSync(join(__dirname, '../../docs/webhooks.md'), 'utf8')
const sources: [string, string][] = [
  ['the wizard shows', snippet.split('\n\n')[1] as string],
  ['the guide shows', /```js\n([\s\S]*?)```/.exec(guide)?.[1] as string],
]

afterEach(() => {
  delete process.env.WEBHOOK_SIGNING_KEY
})

describe.each(sources)('the code that %s', (_, code) => {
  const body = '{"event":"ping"}'
  const now = () => Math.floor(Date.now() / 1000)
  const check = (keys: string[], own: string, { timestamp = now(), changed = body } = {}) => {
    process.env.WEBHOOK_SIGNING_KEY = own
    return pasted(code)(signedHeaders({ id: 'id', timestamp, body }, keys), changed)
  }

  test('takes what is signed with its key, during a change of the key too', () => {
    expect(check(['whsec_b25l'], 'whsec_b25l')).toBe(true)
    expect([check(['new', 'old'], 'new'), check(['new', 'old'], 'old')]).toEqual([true, true])
  })

  test('refuses another key, another body, what is old, and what is not signed', () => {
    expect(check(['key'], 'other')).toBe(false)
    expect(check(['key'], 'key', { changed: `${body} ` })).toBe(false)
    expect(check(['key'], 'key', { timestamp: now() - 200 })).toBe(false)
    expect(pasted(code)({}, body)).toBe(false)
  })
})
