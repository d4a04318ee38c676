import type { OpenLocal } from '../cli/command.ts'

/** The service of a local profile, in this process. */
export const openLocal: OpenLocal = async ({ database = '', user = '' }, { now, newId, newRequestId }, onFault) => {
  const { openLocalService } = await import('../service/local.ts')
  return openLocalService({ database, trustedUser: user, now, newId, newRequestId, onFault })
}
