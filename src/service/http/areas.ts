import type { Endpoint } from '../../contract/endpoint.ts'
import type { Area } from '../../contract/index.ts'

interface Load {
  /** Where its paths begin; a test holds this against the contract. */
  under: string[]
  endpoints: () => Promise<Record<string, Endpoint>>
  handlers: () => Promise<object>
}

/** The areas of the contract and who answers them. One is loaded when the first of its requests comes: a command needs one only. */
export const areas: Record<Area, Load> = {
  customers: {
    under: ['/api/v3/customers'],
    endpoints: async () => (await import('../../contract/customers.ts')).customers,
    handlers: async () => (await import('./customers.ts')).customers,
  },
  staff: {
    under: ['/api/v3/staff_members', '/customers/available_time'],
    endpoints: async () => (await import('../../contract/staff.ts')).staff,
    handlers: async () => (await import('./staff.ts')).staff,
  },
  services: {
    under: ['/api/v3/services'],
    endpoints: async () => (await import('../../contract/services.ts')).services,
    handlers: async () => (await import('./services.ts')).services,
  },
  appointmentTypes: {
    under: ['/api/v3/appointment_types'],
    endpoints: async () => (await import('../../contract/services.ts')).appointmentTypes,
    handlers: async () => (await import('./services.ts')).appointmentTypes,
  },
  appointments: {
    under: ['/api/v3/appointments'],
    endpoints: async () => (await import('../../contract/appointments.ts')).appointments,
    handlers: async () => (await import('./appointments.ts')).appointments,
  },
  account: {
    under: ['/api/v3/me', '/api/v3/authenticate', '/users/me'],
    endpoints: async () => (await import('../../contract/account.ts')).account,
    handlers: async () => (await import('./account.ts')).account,
  },
  classes: {
    under: ['/api/v3/classes'],
    endpoints: async () => (await import('../../contract/classes.ts')).classes,
    handlers: async () => (await import('./classes.ts')).classes,
  },
  sessions: {
    under: ['/api/v3/sessions'],
    endpoints: async () => (await import('../../contract/classes.ts')).sessions,
    handlers: async () => (await import('./classes.ts')).sessions,
  },
  attendees: {
    under: ['/api/v3/sessions'],
    endpoints: async () => (await import('../../contract/classes.ts')).attendees,
    handlers: async () => (await import('./classes.ts')).attendees,
  },
  users: {
    under: ['/users'],
    endpoints: async () => (await import('../../contract/users.ts')).users,
    handlers: async () => (await import('./users.ts')).users,
  },
  memberships: {
    under: ['/organization_memberships'],
    endpoints: async () => (await import('../../contract/users.ts')).memberships,
    handlers: async () => (await import('./users.ts')).memberships,
  },
  events: {
    under: ['/scheduled_events'],
    endpoints: async () => (await import('../../contract/events.ts')).events,
    handlers: async () => (await import('./events.ts')).events,
  },
  invitees: {
    under: ['/scheduled_events'],
    endpoints: async () => (await import('../../contract/events.ts')).invitees,
    handlers: async () => (await import('./events.ts')).invitees,
  },
  noShows: {
    under: ['/invitee_no_shows'],
    endpoints: async () => (await import('../../contract/events.ts')).noShows,
    handlers: async () => (await import('./events.ts')).noShows,
  },
  webhooks: {
    under: ['/webhook_subscriptions'],
    endpoints: async () => (await import('../../contract/webhooks.ts')).webhooks,
    handlers: async () => (await import('./webhooks.ts')).webhooks,
  },
  apiSubscriptions: {
    under: ['/api/v3/api_subscriptions'],
    endpoints: async () => (await import('../../contract/webhooks.ts')).apiSubscriptions,
    handlers: async () => (await import('./webhooks.ts')).apiSubscriptions,
  },
  deliveries: {
    under: ['/webhook_subscriptions', '/sample_webhook_data'],
    endpoints: async () => (await import('../../contract/deliveries.ts')).deliveries,
    handlers: async () => (await import('./deliveries.ts')).deliveries,
  },
  routingForms: {
    under: ['/routing_forms'],
    endpoints: async () => (await import('../../contract/routing-forms.ts')).routingForms,
    handlers: async () => (await import('./routing-forms.ts')).routingForms,
  },
  submissions: {
    under: ['/routing_form_submissions', '/routing_forms'],
    endpoints: async () => (await import('../../contract/routing-forms.ts')).submissions,
    handlers: async () => (await import('./routing-forms.ts')).submissions,
  },
  credentials: {
    under: ['/api/v3/credentials'],
    endpoints: async () => (await import('../../contract/credentials.ts')).credentials,
    handlers: async () => (await import('./credentials.ts')).credentials,
  },
  apiUsers: {
    under: ['/api/v3/users'],
    endpoints: async () => (await import('../../contract/users.ts')).apiUsers,
    handlers: async () => (await import('./users.ts')).apiUsers,
  },
  audit: {
    under: ['/api/v3/audit_log'],
    endpoints: async () => (await import('../../contract/audit.ts')).audit,
    handlers: async () => (await import('./audit.ts')).audit,
  },
}

/** The areas a path may be of, by its beginning: most often one. */
export function areasOf(path: string): Area[] {
  const isUnder = (beginning: string) => path === beginning || path.startsWith(`${beginning}/`)
  return (Object.keys(areas) as Area[]).filter((area) => areas[area].under.some(isUnder))
}
