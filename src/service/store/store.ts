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

/** THE PORT: all that the rest of the service can ask of a database, whichever it is. */
export interface Areas {
  account: ReturnType<typeof accountStore>
  customers: ReturnType<typeof customersStore>
  staff: ReturnType<typeof staffStore>
  services: ReturnType<typeof servicesStore>
  appointmentTypes: ReturnType<typeof appointmentTypesStore>
  appointments: ReturnType<typeof appointmentsStore>
  classes: ReturnType<typeof classesStore>
  sessions: ReturnType<typeof sessionsStore>
  attendees: ReturnType<typeof attendeesStore>
  events: ReturnType<typeof eventsStore>
  webhooks: ReturnType<typeof webhooksStore>
  deliveries: ReturnType<typeof deliveriesStore>
  routingForms: ReturnType<typeof routingFormsStore>
  credentials: ReturnType<typeof credentialsStore>
  requests: ReturnType<typeof requestsStore>
  settings: ReturnType<typeof settingsStore>
}

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
  return {
    engine: engine.name,
    ...areasOn(engine),
    transaction: (work, options) => engine.transaction((tx) => work({ ...areasOn(tx), attempt: tx.attempt }), options),
    ping: engine.ping,
    close: engine.close,
  }
}

function areasOn(db: Queries): Areas {
  return {
    account: accountStore(db),
    customers: customersStore(db),
    staff: staffStore(db),
    services: servicesStore(db),
    appointmentTypes: appointmentTypesStore(db),
    appointments: appointmentsStore(db),
    classes: classesStore(db),
    sessions: sessionsStore(db),
    attendees: attendeesStore(db),
    events: eventsStore(db),
    webhooks: webhooksStore(db),
    deliveries: deliveriesStore(db),
    routingForms: routingFormsStore(db),
    credentials: credentialsStore(db),
    requests: requestsStore(db),
    settings: settingsStore(db),
  }
}
