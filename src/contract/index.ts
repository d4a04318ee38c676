import { account } from './account.ts'
import { appointments } from './appointments.ts'
import { customers } from './customers.ts'
import { appointmentTypes, services } from './services.ts'
import { staff } from './staff.ts'

/** Every endpoint there is, by area. */
export const contract = { customers, staff, services, appointmentTypes, appointments, account }

export type Contract = typeof contract
export type Area = keyof Contract
