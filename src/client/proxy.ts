import { fail } from '../contract/errors.ts'

/** The variables that name proxies, as the environment holds them; a name in lower case wins over the same in upper case. */
export type ProxyVariables = Record<string, string | undefined>

/**
 * The proxy that requests to an address go through, or `undefined` for straight there. Loopback is always straight there.
 * @throws AppError `usage` for a variable that holds no address of an HTTP proxy
 */
export function proxyFor(address: URL, variables: ProxyVariables): URL | undefined {
  if (isLoopback(address.hostname) || isExempt(address, read(variables, 'NO_PROXY') ?? '')) return undefined
  const name = address.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = read(variables, name)
  return given ? proxyOf(given, name) : undefined
}

const read = (variables: ProxyVariables, name: string): string | undefined =>
  (variables[name.toLowerCase()] ?? variables[name])?.trim() || undefined

function proxyOf(given: string, name: string): URL {
  const text = given.includes('://') ? given : `http://${given}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url?.hostname || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    fail('usage', `${name} does not hold the address of an HTTP proxy, such as http://proxy.example.com:3128.`)
  }
  return url
}

/** `NO_PROXY`: names that stand for themselves and what is below them, with or without a leading dot and a port; `*` for all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname)
  const at = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '') return false
    const [, name = '', only] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    const wanted = bare(name.replace(/^\*?\./, ''))
    return (only === undefined || only === at) && (wanted === '*' || host === wanted || host.endsWith(`.${wanted}`))
  })
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** True for names and addresses that never leave this machine. */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d+){3}$/.test(host)
}
