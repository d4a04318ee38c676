import { expect, test } from 'vitest'
import type { Engine } from '../../../src/service/store/engine.ts'
import { migrations } from '../../../src/service/store/migrations/index.ts'
import { raw, row, sql } from '../../../src/service/store/sql.ts'
import { openStore } from '../../../src/service/store/store.ts'
import { onEveryEngine } from '../../support/engines.ts'
import { STAMP } from '../../support/store.ts'

const stamps = { created_at: STAMP, updated_at: STAMP }

async function insert(engine: Engine, table: string, values: object): Promise<number> {
  const { id } = (await engine.one<{ id: number }>(sql`insert into ${raw(table)} ${row({ ...values, ...stamps })} returning id`)) as {
    id: number
  }
  return Number(id)
}

/** An appointment of the first schema, with all that it refers to. */
async function addAppointment(engine: Engine, status: string): Promise<number> {
  const name = { name: 'X' }
  const organization_id = await insert(engine, 'organizations', { uuid: 'o', slug: 'x', time_zone: 'UTC', ...name })
  const customer = { organization_id, name_key: 'x', custom_fields: '{}', search_key: 'x', ...name }
  const hours = { working_hours: '[]', extra_hours: '[]', time_off: '[]' }
  const staff = { organization_id, email: 'x', email_key: 'x', time_zone: 'UTC', active: 1, ...hours, ...name }
  const service_id = await insert(engine, 'services', { organization_id, active: 1, ...name })
  const rules = { duration: 30, slot_interval: 30, buffer_before: 0, buffer_after: 0, minimum_notice: 0, booking_window: 60 }
  const type = { organization_id, service_id, uuid: 't', slug: 'x', custom_questions: '[]', active: 1, ...rules, ...name }
  await insert(engine, 'appointments', {
    organization_id,
    uuid: 'event',
    invitee_uuid: 'invitee',
    status,
    start_time: STAMP,
    end_time: STAMP,
    duration: 30,
    title: 'X',
    customer_id: await insert(engine, 'customers', customer),
    staff_member_id: await insert(engine, 'staff_members', staff),
    appointment_type_id: await insert(engine, 'appointment_types', type),
    questions_and_answers: '[]',
    tracking: '{}',
    rescheduled: 0,
    forced: 0,
  })
  return organization_id
}

onEveryEngine('a database from before there were no-shows of their own', (engine) => {
  test.each([
    ['no_show', 'invitee'],
    ['completed', undefined],
  ])('with an appointment that is %s', async (status, no_show) => {
    const database = await engine.empty()
    const before = await database.open()
    await before.migrate(migrations.filter(({ number }) => number === 1))
    const organization = await addAppointment(before, status)
    await before.close()
    const store = await openStore(await database.open())
    try {
      expect((await store.events.inviteeOfNoShow(organization, 'invitee'))?.uuid).toBe(no_show)
      const invitee = await store.events.findInvitee(organization, 'event', 'invitee')
      expect([invitee?.no_show_uuid ?? undefined, invitee?.no_show_at ?? undefined]).toEqual([no_show, no_show && STAMP])
    } finally {
      await store.close()
      await database.drop()
    }
  })
})
