/** Credentials and passwords. Reached by `await import`, since it loads node:crypto. */
import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { CredentialKind } from '../store/account.ts'

export interface Secrets {
  /** A fresh credential: the text for its holder, and what is kept of it. */
  newCredential(kind: CredentialKind): { secret: string; prefix: string; hash: string }
  /** What a credential is looked up by. It has 256 random bits, so a plain hash is enough. */
  hash(secret: string): string
  hashPassword(password: string): Promise<string>
  /** Takes the same time whether there is a hash to compare with or not. */
  isPassword(password: string, hash: string | null): Promise<boolean>
  /** What a webhook subscription's deliveries are signed with, where the subscriber brings nothing. */
  newSigningKey(): string
  /** The `etag` of a record's text. */
  etag(text: string): string
}

const prefixes: Record<CredentialKind, string> = { api_key: 'bk_', access_token: 'pat_' }

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const LENGTH = 32
/** Compared with when nobody has that e-mail, so that it takes as long as a wrong password. */
const nobody = `scrypt$${'A'.repeat(22)}$${'A'.repeat(43)}`

export const secrets: Secrets = {
  newCredential(kind) {
    const secret = prefixes[kind] + randomBytes(32).toString('base64url')
    return { secret, prefix: secret.slice(0, prefixes[kind].length + 6), hash: this.hash(secret) }
  },
  hash: (secret) => createHash('sha256').update(secret).digest('hex'),
  async hashPassword(password) {
    const salt = randomBytes(16)
    return `scrypt$${salt.toString('base64url')}$${(await derive(password.normalize('NFKC'), salt, LENGTH, COST)).toString('base64url')}`
  },
  async isPassword(password, hash) {
    const [, salt = '', expected = ''] = (hash ?? nobody).split('$')
    const given = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), LENGTH, COST)
    return timingSafeEqual(given, Buffer.from(expected, 'base64url')) && hash !== null
  },
  newSigningKey: () => `whsec_${randomBytes(32).toString('base64')}`,
  etag: (text) => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
}
