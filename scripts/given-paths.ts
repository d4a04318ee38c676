export interface GivenPath {
  area: string
  path: string
  base?: 'base_url' | 'api_url'
}

/** The paths that the interface names, in its order, relative to the base address unless it says the API address. */
export const givenPaths: GivenPath[] = [
  { area: 'Webhooks', path: '/api/v3/api_subscriptions' },
  { area: 'Webhooks', path: '/api/v3/api_subscriptions/{id}' },
  { area: 'Webhooks', path: '/webhook_subscriptions', base: 'api_url' },
  { area: 'Webhooks', path: '/scheduled_events/{event_uuid}/invitees/{invitee_uuid}', base: 'api_url' },
  { area: 'Appointments', path: '/api/v3/appointments' },
  { area: 'Appointments', path: '/api/v3/appointments/{appointment_id}' },
  { area: 'Appointment Types/Services', path: '/api/v3/appointment_types' },
  { area: 'Appointment Types/Services', path: '/api/v3/services' },
  { area: 'Classes/Sessions', path: '/api/v3/classes' },
  { area: 'Classes/Sessions', path: '/api/v3/classes/{id}' },
  { area: 'Classes/Sessions', path: '/api/v3/sessions' },
  { area: 'Customers', path: '/api/v3/customers' },
  { area: 'Customers', path: '/api/v3/customers/{customer_id}' },
  { area: 'Customers', path: '/api/v3/customers/{customer_id}?soft_delete={soft_delete}' },
  { area: 'Customers', path: '/api/v3/customers/{customer_id}?soft_delete=true' },
  { area: 'Staff Members', path: '/api/v3/staff_members' },
  { area: 'Staff Members', path: '/customers/available_time' },
  { area: 'Users', path: '/api/v3/me' },
  { area: 'OAuth', path: '/api/v3/authenticate' },
]
