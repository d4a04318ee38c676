/** HOME of ipaddr.js: which addresses payloads may be sent to. */
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Kind = 'public' | 'loopback' | 'private'

/**
 * What an IP address is. Only what the whole world can reach is `public`: neither private, link-local, shared (CGNAT),
 * multicast, documentation, benchmarking nor reserved, nor an IPv6 form that leads to an IPv4 address (6to4, Teredo, NAT64,
 * compatible); one that only spells an IPv4 address (mapped) is what that address is.
 */
export function kindOf(address: string): Kind {
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === 'loopback') return 'loopback'
  if (range !== 'unicast') return 'private'
  // Outside of 2000::/3 there is no global unicast, whatever the range is called.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]) ? 'public' : 'private'
}

export interface GuardOptions {
  /** For services on a desk: addresses of this machine and of a private network are welcome, and http to this machine. */
  allowPrivate: boolean
  /** Beside that, http to any machine, for whoever asks for it. */
  anyHttp?: boolean
}

/**
 * Why a subscriber's url cannot be taken, in a few words that follow the name of the field; undefined where it can.
 * A name is judged when it is dialled, by the address it leads to.
 */
export function refusalOf(url: string, { allowPrivate, anyHttp = false }: GuardOptions): string | undefined {
  const { protocol, hostname } = new URL(url)
  const kind = kindOfHost(hostname)
  const isOwn = allowPrivate && kind === 'loopback'
  if (protocol !== 'https:' && !isOwn && !anyHttp)
    return allowPrivate ? 'must begin with https://, or lead to this machine' : 'must begin with https://'
  if (kind === 'public' || allowPrivate) return undefined
  return `must be an address that everybody can reach; ${hostname} is ${kind === 'loopback' ? "the service's own machine" : 'not'}`
}

/**
 * Looks names up, and gives back only addresses that may be dialled: what is judged is what is dialled, so a name that leads
 * elsewhere the next time is judged the next time. An address in a url needs no lookup; `refusalOf` has judged it.
 */
export function guardedLookup(lookup: LookupFunction, { allowPrivate }: GuardOptions): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = (found as LookupAddress[]).filter(({ address }) => allowPrivate || kindOf(address) === 'public')
      const [first] = addresses
      if (!first) {
        const refused = new Error(`${hostname} leads to an address that is not for everybody to reach; nothing was sent.`)
        return callback(Object.assign(refused, { code: 'EREFUSED_ADDRESS' }), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** URL has written IP addresses in their usual form already, so `0x7f.1` and `2130706433` are 127.0.0.1 here. */
function kindOfHost(hostname: string): Kind {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return kindOf(host)
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : 'public'
}
