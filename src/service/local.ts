import type { Transport } from '../contract/endpoint.ts'
import { openService, type ServiceOptions } from './open.ts'

export interface Local {
  transport: Transport
  /** The origin of the service's URIs. */
  address: string
  close(): Promise<void>
}

/** The service of a local profile, in this process: no port, and whoever has the database file is its user. */
export async function openLocalService(options: Omit<ServiceOptions, 'onFault'> & { onFault?: ServiceOptions['onFault'] }): Promise<Local> {
  const { app, world, close } = await openService({ onFault: () => undefined, allowPrivateWebhooks: true, ...options })
  return { transport: app, address: world.address, close }
}
