import type { Endpoint, Transport } from '../contract/endpoint.ts'
import { fail } from '../contract/errors.ts'
import type { Carrier } from './network.ts'
import { isLoopback, type ProxyVariables, proxyFor } from './proxy.ts'

/** The two addresses of the service. */
export type Base = Endpoint['base']

/** The way out: one transport for each address. */
export interface Door {
  /** @throws AppError `usage` for an address that cannot or must not be used */
  to(base: Base): Transport
  /** As it was given: for messages. */
  address: Record<Base, string>
  /** True where the service takes us for its owner: no credential is asked for or sent. */
  trusted: boolean
  close(): Promise<void>
}

export interface DoorOptions {
  base_url: string
  api_url: string
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case. */
  proxies?: ProxyVariables
  /** Many calls are to come, so a pool pays; otherwise each call has a connection of its own and undici is never loaded. */
  many?: boolean
  /** Milliseconds until an attempt to connect is given up. */
  timeout: number
  /** Allow plain `http:` to other machines. */
  insecureHttp?: boolean
}

/**
 * Opens the way to a service on the network. Nothing is loaded and nothing is connected before the first request.
 * The transports follow no redirect, hold replies to 64 MiB, and mark network errors for `retry.ts` (`faultOf`).
 */
export function openTransport(options: DoorOptions): Door {
  const { base_url, api_url, proxies = {}, many = false, timeout } = options
  const pools = new Map<string, Promise<{ send: Carrier; close(): Promise<void> }>>()

  const poolFor = (proxy: URL | undefined) => {
    const key = proxy?.href ?? ''
    const known = pools.get(key) ?? import('./undici.ts').then(({ openPool }) => openPool({ proxy, timeout }))
    pools.set(key, known)
    return known
  }

  return {
    address: { base_url, api_url },
    trusted: false,
    to(base) {
      const address = checkedAddress(options[base], options)
      const proxy = proxyFor(address, proxies)
      if (!many && !proxy) return async (request, signal) => (await import('./once.ts')).sendOnce(address, request, signal)
      return async (request, signal) => (await poolFor(proxy)).send(address, request, signal)
    },
    async close() {
      await Promise.all([...pools.values()].map(async (pool) => (await pool).close()))
      pools.clear()
    },
  }
}

/** The service inside this process: both addresses, no credential, no network. */
export function openLocal(transport: Transport, address: string, close: () => Promise<void> = async () => {}): Door {
  return { to: () => transport, address: { base_url: address, api_url: address }, trusted: true, close }
}

function checkedAddress(given: string, { insecureHttp = false }: DoorOptions): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    fail('usage', `"${given}" is not the address of a service. It starts with https:// as in https://booking.example.com.`)
  }
  if (url.username || url.password) fail('usage', `The address of ${url.host} must not hold a name or password. Use bookctl auth login.`)
  if (url.search || url.hash) fail('usage', `The address ${given} must not hold a query or fragment.`)
  if (url.protocol === 'http:' && !insecureHttp && !isLoopback(url.hostname)) {
    fail('usage', `${given} is not encrypted, so a credential would be readable on its way. Use https:// or allow it with --insecure-http.`)
  }
  return url
}
