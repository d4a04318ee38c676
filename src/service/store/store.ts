import { accountStore } from './account.ts'
import { appointmentsStore } from './appointments.ts'
import { attendeesStore, classesStore, sessionsStore } from './classes.ts'
import { credentialsStore } from './credentials.ts'
import { customersStore } from './customers.ts'
import { deliveriesStore } from './deliveries.ts'
import type { Engine, Queries, TransactionOptions } from './engine.ts'
import { eventsStore } from './events.ts'
import { migrations } from './migrations/index.ts'
import { requestsStore } from './requests.ts'
import { routingFormsStore } from './routing-forms.ts'
import { appointmentTypesStore, servicesStore } from './services.ts'
import { settingsStore } from './settings.ts'
import { staffStore } from './staff.ts'
import { webhooksStore } from './webhooks.ts'

const makers = {
  account: accountStore,
  customers: customersStore,
  staff: staffStore,
  services: servicesStore,
  appointmentTypes: appointmentTypesStore,
  appointments: appointmentsStore,
  classes: classesStore,
  sessions: sessionsStore,
  attendees: attendeesStore,
  events: eventsStore,
  webhooks: webhooksStore,
  deliveries: deliveriesStore,
  routingForms: routingFormsStore,
  credentials: credentialsStore,
  requests: requestsStore,
  settings: settingsStore,
}

/** THE PORT: all that the rest of the service can ask of a database, whichever it is. */
export type Areas = { [Area in keyof typeof makers]: ReturnType<(typeof makers)[Area]> }

/** The areas inside one transaction. */
export interface Tx extends Areas {
  /** Runs `work` so that what it wrote, and the locks it took, are given back when it fails. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export interface Store extends Areas {
  engine: Engine['name']
  /** Commits what `work` did, or nothing of it; started over on a conflict, so `work` must not act outside of it. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** Brings the database up to date and opens it as a store; closes the engine where that fails. */
export async function openStore(engine: Engine): Promise<Store> {
  try {
    await engine.migrate(migrations)
  } catch (error) {
    await engine.close()
    throw error
  }
  return Object.assign(areasOn(engine), {
    engine: engine.name,
    transaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) =>
      engine.transaction((tx) => work(Object.assign(areasOn(tx), { attempt: tx.attempt })), options),
    ping: engine.ping,
    close: engine.close,
  })
}

/** Each is made when it is first asked for: most requests need two or three. */
function areasOn(db: Queries): Areas {
  const areas = {}
  for (const [name, make] of Object.entries(makers)) {
    let made: unknown
    Object.defineProperty(areas, name, { enumerable: true, get: () => (made ??= make(db)) })
  }
  return areas as Areas
}
