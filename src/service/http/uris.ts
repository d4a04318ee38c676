import { invalid } from '../../contract/errors.ts'

/** Where URIs begin until `serve --public-url` says otherwise. */
export const DEFAULT_ADDRESS = 'http://127.0.0.1:4242'

/** The addresses of records, as webhook readers and API clients see them. `address` is the service's public origin. */
export const userUri = (address: string, uuid: string): string => `${address}/users/${uuid}`
export const organizationUri = (address: string, uuid: string): string => `${address}/organizations/${uuid}`
export const eventUri = (address: string, uuid: string): string => `${address}/scheduled_events/${uuid}`
export const inviteeUri = (address: string, event: string, invitee: string): string => `${eventUri(address, event)}/invitees/${invitee}`
export const eventTypeUri = (address: string, uuid: string): string => `${address}/event_types/${uuid}`
export const noShowUri = (address: string, uuid: string): string => `${address}/invitee_no_shows/${uuid}`
export const membershipUri = (address: string, uuid: string): string => `${address}/organization_memberships/${uuid}`
export const webhookUri = (address: string, uuid: string): string => `${address}/webhook_subscriptions/${uuid}`
export const deliveryUri = (address: string, webhook: string, id: number): string => `${webhookUri(address, webhook)}/deliveries/${id}`
export const routingFormUri = (address: string, uuid: string): string => `${address}/routing_forms/${uuid}`
export const submissionUri = (address: string, uuid: string): string => `${address}/routing_form_submissions/${uuid}`

/** The UUID in the URI of a user, say; whatever the origin, since one service may be reached by several. */
export function uuidIn(uri: string, collection: string, parameter: string): string {
  const [, kind, uuid] = /\/(\w+)\/([^/]+)\/?$/.exec(new URL(uri).pathname) ?? []
  return kind === collection && uuid ? uuid : invalid(parameter, `${parameter} must be a URI that ends in /${collection}/ and a UUID.`)
}

/** The two UUIDs in the URI of an invitee. */
export function uuidsOfInvitee(uri: string): { event: string; invitee: string } {
  const [, event, invitee] = /\/scheduled_events\/([^/]+)\/invitees\/([^/]+)\/?$/.exec(new URL(uri).pathname) ?? []
  return event && invitee
    ? { event, invitee }
    : invalid('invitee', 'invitee must be the URI of an invitee: …/scheduled_events/UUID/invitees/UUID.')
}
