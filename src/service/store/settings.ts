import type { Queries } from './engine.ts'
import { sql } from './sql.ts'

/** The few settings that belong to the database and not to whoever opens it. */
export type SettingName = 'public_url'

export function settingsStore(db: Queries) {
  return {
    async get(name: SettingName): Promise<string | undefined> {
      return (await db.one<{ value: string }>(sql`select value from settings where name = ${name}`))?.value
    },

    async set(name: SettingName, value: string): Promise<void> {
      await db.run(
        sql`insert into settings (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`,
      )
    },
  }
}
