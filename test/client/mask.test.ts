import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf, maskBody, maskHeaders, maskReply, maskRequest, maskSecret } from '../../src/client/mask.ts'
import type { HttpRequest } from '../../src/contract/endpoint.ts'

const request: HttpRequest = {
  method: 'POST',
  url: "/api/v3/customers?search=it's",
  headers: { accept: 'application/json', 'user-agent': 'bookctl/1', 'api-key': 'bk_0123456789' },
  body: '{"name":"O\'Brien $HOME `id`"}',
}

test('a secret keeps nothing but its prefix', () => {
  expect(maskSecret('bk_0123456789')).toBe('bk_…')
  expect(maskSecret('pat_0123456789')).toBe('pat_…')
  expect(maskSecret('hunter2')).toBe('…')
})

test('credential headers are hidden', () => {
  const headers = { 'api-key': 'bk_1', authorization: 'Bearer pat_2', 'Proxy-Authorization': 'Basic dTpw', cookie: 'a=b', accept: '*/*' }
  expect(maskHeaders(headers)).toEqual({
    'api-key': 'bk_…',
    authorization: 'Bearer pat_…',
    'Proxy-Authorization': 'Basic …',
    cookie: '…',
    accept: '*/*',
  })
})

test('secret fields of a body are hidden at any depth, and nothing else is changed', () => {
  const body = { resource: { api_key: 'bk_1', access_token: 'pat_2', list: [{ signing_key: 'k', password: 'p' }], name: 'Ada' } }
  expect(JSON.parse(maskBody(JSON.stringify(body)))).toEqual({
    resource: { api_key: 'bk_…', access_token: 'pat_…', list: [{ signing_key: '…', password: '…' }], name: 'Ada' },
  })
  expect(maskBody('{ "name": 1.50 }')).toBe('{ "name": 1.50 }')
  expect(maskBody('the key bk_0123 and pat_4567')).toBe('the key bk_… and pat_…')
  expect(maskBody('password=hunter2')).toBe('…')
  expect(maskReply({ status: 200, headers: { 'set-cookie': 'a' }, body: '{"password":null}' })).toEqual({
    status: 200,
    headers: { 'set-cookie': '…' },
    body: '{"password":null}',
  })
})

test('a request is hidden as a copy', () => {
  expect(maskRequest(request).headers['api-key']).toBe('bk_…')
  expect(request.headers['api-key']).toBe('bk_0123456789')
})

test('curl reads the credentials from variables', () => {
  expect(curlOf({ method: 'GET', url: '/users/me', headers: { authorization: 'Bearer pat_1' } }, 'https://example.com/')).toBe(
    `curl 'https://example.com/users/me' \\\n  --header "authorization: Bearer $BOOKCTL_ACCESS_TOKEN"`,
  )
})

test('a shell hands curl exactly what the request holds', () => {
  const command = curlOf(request, 'https://example.com').replace(/^curl/, "printf '%s\\n'")
  const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8', env: { BOOKCTL_API_KEY: 'bk_mine' } }).split('\n')
  expect(lines).toEqual([
    ...['--request', 'POST', "https://example.com/api/v3/customers?search=it's"],
    ...['--header', 'accept: application/json', '--header', 'api-key: bk_mine'],
    ...['--data-raw', request.body, ''],
  ])
})
