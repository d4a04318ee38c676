import { describe, expect, test } from 'vitest'
import { onEveryEngine } from '../support/engines.ts'
import { worldsOn } from '../support/worlds.ts'

const TEN = '2026-11-23T10:00:00.000000Z'

onEveryEngine('a booking', (engine) => {
  const createWorld = worldsOn(engine)

  test('custom questions are checked, and their answers kept in the order of the questions', async () => {
    const { call, hasType, hasCustomer } = await createWorld()
    const custom_questions = [
      { name: 'Why?', type: 'text', required: true },
      { name: 'Size', type: 'select', answer_choices: ['S', 'M'] },
    ]
    const type = await hasType({ custom_questions })
    const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, start_time: TEN }
    const book = (questions_and_answers: object[]) => call('POST', '/api/v3/appointments', { ...body, questions_and_answers })
    expect((await book([])).body.details[0]).toMatchObject({ parameter: 'questions_and_answers', code: 'missing_answer' })
    const answers = [
      { question: 'Size', answer: 'M' },
      { question: 'Why?', answer: 'Pain 🤕' },
    ]
    expect((await book([{ question: 'Size', answer: 'XL' }, answers[1] as object])).body.details[0].parameter).toBe(
      'questions_and_answers[0].answer',
    )
    expect((await book(answers)).body.resource.questions_and_answers).toEqual([
      { question: 'Why?', answer: 'Pain 🤕', position: 0 },
      { question: 'Size', answer: 'M', position: 1 },
    ])
  })

  test('what a booking refers to must be there and on offer', async () => {
    const { call, hasType, hasStaff, hasCustomer } = await createWorld()
    const type = await hasType()
    const closed = await hasType({ active: false })
    const [other, customer, hidden] = [await hasStaff(), await hasCustomer(), await hasCustomer()]
    await call('DELETE', `/api/v3/customers/${hidden.id}?soft_delete=true`)
    const about = async (given: object) => {
      const body = { appointment_type_id: type.id, customer_id: customer.id, start_time: TEN, ...given }
      const refused = await call('POST', '/api/v3/appointments', body)
      return [refused.status, refused.body.details[0].parameter]
    }
    expect(await about({ appointment_type_id: 999 })).toEqual([400, 'appointment_type_id'])
    expect(await about({ appointment_type_id: closed.id })).toEqual([400, 'appointment_type_id'])
    expect(await about({ customer_id: 999 })).toEqual([400, 'customer_id'])
    expect(await about({ customer_id: hidden.id })).toEqual([400, 'customer_id'])
    expect(await about({ staff_member_id: other.id })).toEqual([400, 'staff_member_id'])
    expect(await about({ customer: { name: 'Both' } })).toEqual([400, 'customer_id'])
    expect(await about({ customer_id: undefined })).toEqual([400, 'customer_id'])
  })

  describe('force', () => {
    test('books a time that is taken or not offered, for admins and owners, with somebody named', async () => {
      const { call, hasUser, hasType, hasAppointment, hasCustomer, service } = await createWorld()
      const type = await hasType()
      await hasAppointment(type, TEN)
      const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, start_time: TEN, force: true }
      expect((await call('POST', '/api/v3/appointments', body)).body.details[0].parameter).toBe('staff_member_id')
      const named = { ...body, staff_member_id: type.staff_member_ids[0] }
      const member = await hasUser('member')
      expect((await member.call('POST', '/api/v3/appointments', named)).body.code).toBe('permission_denied')
      expect((await call('POST', '/api/v3/appointments', named)).status).toBe(201)
      const admin = await hasUser('admin')
      expect((await admin.call('POST', '/api/v3/appointments', { ...named, start_time: '2026-11-23T22:10:00Z' })).status).toBe(201)
      expect(service.store.engine).toBe(engine.name === 'SQLite' ? 'sqlite' : 'postgres')
    })

    test('is in the audit log; a booking without it is not marked', async () => {
      const { call, hasType, hasAppointment } = await createWorld()
      const type = await hasType()
      const named = { staff_member_id: type.staff_member_ids[0] }
      const { id } = await hasAppointment(type, TEN, named)
      await hasAppointment(type, TEN, { ...named, force: true })
      expect((await call('POST', `/api/v3/appointments/${id}/reschedule`, { start_time: TEN, force: true })).status).toBe(201)
      await hasAppointment(type, '2026-11-23T11:00:00Z', { ...named, force: false })
      const { collection } = (await call('GET', '/api/v3/audit_log?count=100')).body
      const lines = collection.filter(({ target }: { target: string }) => target.startsWith('/api/v3/appointments'))
      expect(lines.map(({ forced }: { forced: boolean }) => forced)).toEqual([false, true, true, false])
    })

    test('does not make room for those who do not force', async () => {
      const { call, hasType, hasAppointment, hasCustomer } = await createWorld()
      const type = await hasType()
      await hasAppointment(type, TEN, { force: true, staff_member_id: type.staff_member_ids[0] })
      const body = { appointment_type_id: type.id, customer_id: (await hasCustomer()).id, start_time: TEN }
      expect((await call('POST', '/api/v3/appointments', body)).body.code).toBe('slot_taken')
    })
  })
})
