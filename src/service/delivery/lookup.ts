import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

export interface LookupOptions {
  /** Ask the system about names that no name server knows: those of this machine and of a private network. */
  asksSystem: boolean
  /** Name servers to ask, as `address:port`; those of the system when left out. */
  servers?: string[]
}

/**
 * How the names of subscribers become addresses. The system's own way takes one of its four threads for as long as a name
 * server keeps silent, so that a few bad names would hold up everybody; this one waits for as many as it likes.
 */
export function createLookup({ asksSystem, servers }: LookupOptions): { lookup: LookupFunction; close(): void } {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)

  async function resolve(hostname: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length > 0) return found
    throw four.status === 'rejected' ? four.reason : (six as PromiseRejectedResult).reason
  }

  const lookup: LookupFunction = (hostname, options, callback) => {
    const answer = (found: LookupAddress[]) => {
      const [first] = found as [LookupAddress]
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    }
    // `localhost` and what is below it are this machine by their name, and no name server's business.
    const isOwn = /(?:^|\.)localhost\.?$/i.test(hostname)
    if (isOwn) return systemLookup('localhost', options, callback as never)
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => {
      const isUnknown = error.code === 'ENOTFOUND' || error.code === 'ENODATA'
      if (asksSystem && isUnknown) return systemLookup(hostname, options, callback as never)
      callback(error, [])
    })
  }
  // What is asked still would keep the process alive.
  return { lookup, close: () => resolver.cancel() }
}
