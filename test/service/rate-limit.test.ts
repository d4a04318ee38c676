import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/service/app.ts'
import { createRateLimit } from '../../src/service/http/rate-limit.ts'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

describe('the rate limit', () => {
  test('counts each credential by itself, and anew in each minute', () => {
    const limit = createRateLimit(2)
    const at = (second: number, credential = 1) => limit(credential, second * 1000)
    expect(at(0)).toEqual({ allowed: true, limit: 2, remaining: 1, reset: 60 })
    expect(at(30.5)).toEqual({ allowed: true, limit: 2, remaining: 0, reset: 30 })
    expect(at(59.9)).toEqual({ allowed: false, limit: 2, remaining: 0, reset: 1 })
    expect(at(59.9, 2)).toMatchObject({ allowed: true, remaining: 1 })
    expect(at(60)).toMatchObject({ allowed: true, remaining: 1, reset: 60 })
  })
})

onEveryEngine('a limited service', (engine) => {
  const createWorld = worldsOn(engine)

  test('tells the limit with every reply to a credential, errors too, and then says when to come back', async () => {
    const { service, owner, clock } = await createWorld()
    const app = createApp(service.world, { limit: createRateLimit(3) })
    const get = (url: string, headers: Record<string, string> = { 'api-key': owner.api_key }) => app({ method: 'GET', url, headers })
    const told = ({ status, headers }: Awaited<ReturnType<typeof get>>) => [
      status,
      headers['x-ratelimit-limit'],
      headers['x-ratelimit-remaining'],
      headers['x-ratelimit-reset'],
    ]
    expect(told(await get('/api/v3/me'))).toEqual([200, '3', '2', '60'])
    expect(told(await get('/api/v3/customers/999'))).toEqual([404, '3', '1', '60'])
    clock.advance(0.5)
    expect(told(await get('/api/v3/customers?nope=1'))).toEqual([400, '3', '0', '30'])
    const refused = await get('/api/v3/me')
    expect(told(refused)).toEqual([429, '3', '0', '30'])
    expect(refused.headers['retry-after']).toBe('30')
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'rate_limited', title: 'Too Many Requests' })
    expect(told(await get('/api/v3/me', {}))).toEqual([401, undefined, undefined, undefined])
    expect(told(await get('/users/me', { authorization: `Bearer ${owner.access_token}` }))).toEqual([200, '3', '2', '30'])
    clock.advance(0.5)
    expect(told(await get('/api/v3/me'))).toEqual([200, '3', '2', '60'])
  })

  test('is none where no limit is set', async () => {
    const { call } = await createWorld()
    expect((await call('GET', '/api/v3/me')).headers).not.toHaveProperty('x-ratelimit-limit')
  })
})
