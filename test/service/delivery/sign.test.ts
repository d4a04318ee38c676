import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { faultIn, signedHeaders, TOLERANCE, verify } from '../../../src/service/delivery/sign.ts'

const KEY = `whsec_${Buffer.from('a key of thirty-two random bytes').toString('base64')}`
const signed = { id: 'b6a3c1f0-1111-4222-8333-444455556666', timestamp: 1_767_225_600, body: '{"event":"invitee.created","name":"Søren"}' }
const { timestamp, body } = signed

/** Whether each convention holds, and why not. */
const faults = (headers: Record<string, string>, key = KEY, given = body, now: number | undefined = timestamp) =>
  verify({ headers, body: given }, key, now).map(({ present, fault }) => (present ? fault : 'absent'))

describe('what is signed', () => {
  test('is what the public test vector says', () => {
    const event = '{"event":"invitee.created","created_at":"2026-01-01T00:00:00.000000Z"}'
    const headers = signedHeaders({ ...signed, body: event }, ['demo-signing-key'])
    expect(headers['calendly-webhook-signature']).toBe('t=1767225600,v1=18b82148b06b47079f91a393f0f35b73d4982b4f431b0979ae9a5c0b09256f71')
  })

  test('is taken by the library of Standard Webhooks, with a key of either kind', () => {
    const now = { ...signed, timestamp: Math.floor(Date.now() / 1000) }
    const payload = JSON.parse(body)
    expect(new Webhook(KEY).verify(body, signedHeaders(now, [KEY]))).toEqual(payload)
    expect(new Webhook('a text', { format: 'raw' }).verify(body, signedHeaders(now, ['a text']))).toEqual(payload)
    expect(() => new Webhook(KEY).verify(`${body} `, signedHeaders(now, [KEY]))).toThrow()
  })

  test('is the other way round too: what the library signs, we take', () => {
    const at = new Date(timestamp * 1000)
    const headers = { 'webhook-id': signed.id, 'webhook-timestamp': String(timestamp) }
    expect(faults({ ...headers, 'webhook-signature': new Webhook(KEY).sign(signed.id, at, body) })).toEqual([undefined, 'absent'])
  })

  test('holds by both conventions, for each of two keys', () => {
    const headers = signedHeaders(signed, ['new', 'old'])
    for (const key of ['new', 'old']) expect(faults(headers, key)).toEqual([undefined, undefined])
    expect(faults(headers, 'other')).toEqual([expect.stringContaining('does not match'), expect.stringContaining('does not match')])
  })
})

describe('what is not believed', () => {
  const headers = signedHeaders(signed, [KEY])
  const said = (text: string) => expect.stringContaining(text)

  test('another body, by a byte', () => {
    expect(faults(headers, KEY, `${body}\n`)).toEqual([said('byte for byte'), said('byte for byte')])
  })

  test('one that is too old, or ahead of the clock; unless its age does not matter', () => {
    expect(faults(headers, KEY, body, timestamp + TOLERANCE)).toEqual([undefined, undefined])
    expect(faults(headers, KEY, body, timestamp + TOLERANCE + 1)).toEqual([said('301 s old'), said('301 s old')])
    expect(faults(headers, KEY, body, timestamp - TOLERANCE - 1)).toEqual([said('301 s ahead'), said('301 s ahead')])
    expect(verify({ headers, body }, KEY, undefined).map(({ fault }) => fault)).toEqual([undefined, undefined])
  })

  test.each<[string, Record<string, string>, string]>([
    ['without its id', { 'webhook-id': '' }, 'webhook-id is missing'],
    ['under another id', { 'webhook-id': 'other' }, 'does not match'],
    ['with a timestamp that is none', { 'webhook-timestamp': 'soon' }, 'must hold seconds'],
    ['with another timestamp', { 'webhook-timestamp': String(timestamp + 1) }, 'does not match'],
    ['with a signature of another version', { 'webhook-signature': 'v2,abc' }, 'begins with "v1,"'],
    ['with a signature of nothing', { 'webhook-signature': '' }, 'begins with "v1,"'],
  ])('Standard Webhooks %s', (_, changed, sentence) => {
    expect(faults({ ...headers, ...changed })).toEqual([said(sentence), undefined])
  })

  test.each<[string, string, string]>([
    ['without t', 'v1=00', 'must hold t='],
    ['without v1', `t=${timestamp}`, 'holds no v1='],
    ['with another t', `t=${timestamp + 1},v1=${headers['calendly-webhook-signature']?.split('v1=')[1]}`, 'does not match'],
    ['that is nothing', '', 'must hold t='],
  ])('t=…,v1=… %s', (_, changed, sentence) => {
    expect(faults({ ...headers, 'calendly-webhook-signature': changed })).toEqual([undefined, said(sentence)])
  })
})

test('a request is believed when it is signed, and all of its signatures hold', () => {
  const { 'webhook-signature': one, 'calendly-webhook-signature': other, ...rest } = signedHeaders(signed, [KEY]) as Record<string, string>
  const fault = (headers: object) => faultIn(verify({ headers: { ...rest, ...headers }, body }, KEY, timestamp))
  expect(fault({ 'webhook-signature': one, 'calendly-webhook-signature': other })).toBeUndefined()
  expect(fault({ 'webhook-signature': one })).toBeUndefined()
  expect(fault({ 'calendly-webhook-signature': other })).toBeUndefined()
  expect(fault({})).toContain('not signed')
  expect(fault({ 'webhook-signature': one, 'calendly-webhook-signature': 't=1,v1=00' })).toContain('does not match')
})
