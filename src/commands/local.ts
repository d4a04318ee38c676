import type { OpenLocal } from '../cli/command.ts'
import { userAgent } from '../cli/version.ts'

/** The service of a local profile, in this process. */
export const openLocal: OpenLocal = async ({ database = '', user = '' }, { now, newId, newRequestId, random }, options) => {
  const { openLocalService } = await import('../service/local.ts')
  return openLocalService({ database, trustedUser: user, now, newId, newRequestId, chance: random, user_agent: userAgent, ...options })
}
