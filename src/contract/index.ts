import { account } from './account.ts'
import { appointments } from './appointments.ts'
import { audit } from './audit.ts'
import { attendees, classes, sessions } from './classes.ts'
import { credentials } from './credentials.ts'
import { customers } from './customers.ts'
import { deliveries } from './deliveries.ts'
import { events, invitees, noShows } from './events.ts'
import { routingForms, submissions } from './routing-forms.ts'
import { appointmentTypes, services } from './services.ts'
import { staff } from './staff.ts'
import { apiUsers, memberships, users } from './users.ts'
import { apiSubscriptions, webhooks } from './webhooks.ts'

/** Every endpoint there is, by area. */
export const contract = {
  customers,
  staff,
  services,
  appointmentTypes,
  appointments,
  classes,
  sessions,
  attendees,
  account,
  users,
  memberships,
  events,
  invitees,
  noShows,
  webhooks,
  apiSubscriptions,
  deliveries,
  routingForms,
  submissions,
  credentials,
  apiUsers,
  audit,
}

export type Contract = typeof contract
export type Area = keyof Contract
