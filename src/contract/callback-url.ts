/** The address of a subscriber: what it may be, and where it leads. */

/** Where a service on a desk takes http; elsewhere it refuses these too. */
const ownMachine = /^(?:(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/

/** Whether an address is one of the machine that dials it. */
export const leadsHome = (url: string): boolean => ownMachine.test(new URL(url).hostname)

/** One spelling of an address, so that letter case of the host, a default port or an escaped letter make no second one. */
export const addressOf = (url: string): string => new URL(url).href

/** The most characters that the address of a subscriber may have. */
export const LONGEST_URL = 2048

/**
 * What is wrong with the address of a subscriber, wherever the service runs; undefined where nothing is.
 * @param anyHttp take http to other machines, too
 */
export function faultOfUrl(given: string, anyHttp = false): string | undefined {
  if (!URL.canParse(given)) return 'must be a URI'
  const { protocol, hostname, username, password } = new URL(given)
  if (protocol !== 'https:' && !(protocol === 'http:' && (anyHttp || ownMachine.test(hostname)))) return 'must begin with https://'
  if (username || password) return 'must not carry a user name or password'
  return given.includes('#') ? 'must not have a fragment (#)' : undefined
}
