/** Where URIs begin until `serve --public-url` says otherwise. */
export const DEFAULT_ADDRESS = 'http://127.0.0.1:4242'

/** The addresses of records, as webhook readers and API clients see them. `address` is the service's public origin. */
export const userUri = (address: string, uuid: string): string => `${address}/users/${uuid}`
export const organizationUri = (address: string, uuid: string): string => `${address}/organizations/${uuid}`
export const eventUri = (address: string, uuid: string): string => `${address}/scheduled_events/${uuid}`
export const inviteeUri = (address: string, event: string, invitee: string): string => `${eventUri(address, event)}/invitees/${invitee}`
