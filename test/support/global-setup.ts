import { addressOf, onServer, server } from './databases.ts'

/** Once a run, before and after all tests (vitest's global set-up): the migrated database that the others are copies of. */
export async function setup(): Promise<() => Promise<void>> {
  if (!server) return async () => undefined
  const { openPostgres } = await import('../../src/service/store/postgres.ts')
  const { openStore } = await import('../../src/service/store/store.ts')
  const name = `bookctl_template_${process.pid}`
  await onServer(`drop database if exists ${name} with (force)`)
  await onServer(`create database ${name} encoding 'UTF8' template template0`)
  await (await openStore(await openPostgres(addressOf(name)))).close()
  process.env.BOOKCTL_TEST_TEMPLATE = name
  return () => onServer(`drop database if exists ${name} with (force)`)
}
