import type { contract } from '../../contract/index.ts'
import type { Handlers } from './handler.ts'
import { userUri } from './uris.ts'

export const audit: Handlers<typeof contract.audit> = {
  async list({ query }, { store, principal, address }) {
    const page = await store.requests.auditLog(principal.organization_id, query)
    return {
      ...page,
      rows: page.rows.map(({ user_id, user_uuid, user_name, user_email, id, ...entry }) => ({
        id,
        user: { id: user_id, uri: userUri(address, user_uuid), name: user_name, email: user_email },
        ...entry,
      })),
    }
  },
}
