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
}

/** The area a path is of, by its beginning. */
export function areaOf(path: string): Area | undefined {
  const isUnder = (beginning: string) => path === beginning || path.startsWith(`${beginning}/`)
  return (Object.keys(areas) as Area[]).find((area) => areas[area].under.some(isUnder))
}
