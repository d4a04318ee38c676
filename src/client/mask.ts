import type { HttpReply, HttpRequest } from '../contract/endpoint.ts'

/** What is shown in place of a secret, behind the prefix that tells its kind. */
const HIDDEN = '…'

const secretHeaders = ['api-key', 'authorization', 'proxy-authorization', 'cookie', 'set-cookie']
const secretFields = ['signing_key', 'password', 'api_key', 'access_token']
const loose = /\b(bk|pat)_[A-Za-z0-9_-]+/g

/** `bk_4f9…` becomes `bk_…`; a secret without a known prefix becomes `…`. */
export const maskSecret = (secret: string): string => `${/^(?:bk|pat)_/.exec(secret)?.[0] ?? ''}${HIDDEN}`

/** Headers as they may be shown. A new object; names are kept. */
export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value)]))
}

function maskHeader(name: string, value: string): string {
  if (!secretHeaders.includes(name.toLowerCase())) return maskLoose(value)
  const [, scheme = '', secret = ''] = /^((?:basic|bearer) +)?(.*)$/is.exec(value) ?? []
  return scheme + maskSecret(secret)
}

const maskLoose = (text: string): string => text.replace(loose, `$1_${HIDDEN}`)

/** A body as it may be shown: the values of secret fields, at any depth, and whatever looks like a credential of ours, are hidden. */
export function maskBody(body: string): string {
  if (!secretFields.some((field) => body.includes(field))) return maskLoose(body)
  try {
    const hide = (name: string, value: unknown) => (secretFields.includes(name) && value !== null ? maskSecret(String(value)) : value)
    return maskLoose(JSON.stringify(JSON.parse(body), hide))
  } catch {
    // Not JSON, so no telling where the secret ends.
    return HIDDEN
  }
}

/** A request as it may be shown. */
export function maskRequest<R extends HttpRequest>(request: R): R {
  const { headers, body } = request
  const url = maskLoose(request.url)
  return { ...request, url, headers: maskHeaders(headers), ...(body === undefined ? {} : { body: maskBody(body) }) }
}

/** A reply as it may be shown. */
export const maskReply = ({ status, headers, body }: HttpReply): HttpReply => ({
  status,
  headers: maskHeaders(headers),
  body: maskBody(body),
})

/**
 * A request as a curl command that can be pasted into a shell: credentials are read from `$BOOKCTL_API_KEY` and
 * `$BOOKCTL_ACCESS_TOKEN`. Secrets within the body are hidden, and have to be filled in.
 */
export function curlOf(request: HttpRequest, origin: string): string {
  const { method, url, headers, body } = maskRequest(request)
  const parts = [`curl ${method === 'GET' ? '' : `--request ${method} `}${quoted(origin.replace(/\/+$/, '') + url)}`]
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'user-agent') parts.push(`--header ${variables[name] ?? quoted(`${name}: ${value}`)}`)
  }
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

const variables: Record<string, string> = {
  'api-key': '"api-key: $BOOKCTL_API_KEY"',
  authorization: '"authorization: Bearer $BOOKCTL_ACCESS_TOKEN"',
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
