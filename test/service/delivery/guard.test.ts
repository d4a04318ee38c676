import { describe, expect, test } from 'vitest'
import { kindOf, refusalOf } from '../../../src/service/delivery/guard.ts'

const desk = { allowPrivate: true }
const open = { allowPrivate: false }

describe('an address', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.8.8.8', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:8.8.8.8', 'public'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['::ffff:192.168.1.1', 'private'],
    ['169.254.169.254', 'private'],
    ['fe80::1', 'private'],
    ['100.64.0.1', 'private'],
    ['224.0.0.1', 'private'],
    ['ff02::1', 'private'],
    ['192.0.2.1', 'private'],
    ['198.51.100.1', 'private'],
    ['203.0.113.1', 'private'],
    ['2001:db8::1', 'private'],
    ['3fff::1', 'private'],
    ['198.18.0.1', 'private'],
    ['2001:2::1', 'private'],
    ['2002:7f00:1::', 'private'],
    ['2001::1', 'private'],
    ['64:ff9b::7f00:1', 'private'],
    ['64:ff9b:1::7f00:1', 'private'],
    ['::7f00:1', 'private'],
    ['fc00::1', 'private'],
    ['fec0::1', 'private'],
    ['0.0.0.0', 'private'],
    ['::', 'private'],
    ['255.255.255.255', 'private'],
    ['240.0.0.1', 'private'],
    ['192.0.0.8', 'private'],
    ['192.88.99.1', 'private'],
    ['100::1', 'private'],
    ['4000::1', 'private'],
  ])('%s is %s', (address, kind) => expect(kindOf(address)).toBe(kind))
})

describe('a url of a subscriber', () => {
  test.each([
    'https://example.com/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]:8443/hook',
    'https://localhost.example.com/',
  ])('%s is taken anywhere', (url) => {
    expect(refusalOf(url, open)).toBeUndefined()
    expect(refusalOf(url, desk)).toBeUndefined()
  })

  test.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/',
  ])('%s is taken on a desk only', (url) => {
    expect(refusalOf(url, open)).toMatch(/^must be an address that everybody can reach/)
    expect(refusalOf(url, desk)).toBeUndefined()
  })

  test.each(['http://127.0.0.1:4000/', 'http://localhost:4000/', 'http://[::1]/'])('%s is taken on a desk only', (url) => {
    expect(refusalOf(url, open)).toBe('must begin with https://')
    expect(refusalOf(url, desk)).toBeUndefined()
  })

  test.each(['http://example.com/', 'http://192.168.1.2/', 'http://8.8.8.8/'])(
    '%s is taken only where any http was asked for: it is not encrypted',
    (url) => {
      expect(refusalOf(url, open)).toBe('must begin with https://')
      expect(refusalOf(url, desk)).toBe('must begin with https://, or lead to this machine')
      expect(refusalOf(url, { ...desk, anyHttp: true })).toBeUndefined()
    },
  )
})
