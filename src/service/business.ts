import { fail } from '../contract/errors.ts'
import { instantOf } from '../contract/time.ts'
import { slugOf } from './domain/slug.ts'
import { issuePair } from './http/account.ts'
import type { Service } from './open.ts'

export interface NewBusiness {
  organization: { name: string; time_zone: string }
  /** Without a password the owner signs in with the credentials alone. */
  owner: { name: string; email: string; password?: string | undefined }
  /** What the pair of credentials is called in the list of credentials. */
  credentials: { name: string }
}

/** What its maker needs from then on; the two credentials are told this once. */
export interface CreatedBusiness {
  organization_uuid: string
  user_uuid: string
  api_key: string
  access_token: string
}

/**
 * Makes the one business of a database, with its owner and the owner's first credentials.
 * @throws AppError `already_exists` where there is a business already; nothing is changed then
 */
export async function createBusiness(
  { store, world }: Service,
  { organization, owner, credentials }: NewBusiness,
): Promise<CreatedBusiness> {
  const secrets = await world.secrets()
  // Hashed outside of the transaction: it takes long on purpose.
  const password_hash = owner.password === undefined ? null : await secrets.hashPassword(owner.password)
  const now = world.now()
  const [organization_uuid, user_uuid] = [world.newId(), world.newId()]
  const stamps = { created_at: instantOf(now), updated_at: instantOf(now) }

  return store.transaction(async (tx) => {
    // Written first: whoever else is making a business of this database waits here, and then sees this one.
    await tx.settings.set('public_url', world.address)
    if (await tx.account.hasOrganization()) fail('already_exists', 'This database holds a business already; use another database.')
    const { name, time_zone } = organization
    const slug = slugOf(name) || 'business'
    const organization_id = await tx.account.insertOrganization({ uuid: organization_uuid, name, slug, time_zone, ...stamps })
    const user_id = await tx.account.insertUser({
      uuid: user_uuid,
      organization_id,
      name: owner.name,
      slug: slugOf(owner.name) || 'owner',
      email: owner.email,
      time_zone,
      role: 'owner',
      password_hash,
      ...stamps,
    })
    const pair = await issuePair(tx, secrets, { user_id, organization_id }, { name: credentials.name, now })
    return { organization_uuid, user_uuid, ...pair }
  })
}
