import document from '../../../docs/openapi.json'

/** The OpenAPI document, with the service's own address in it. */
export function openapi(address: string): string {
  return JSON.stringify({ ...document, servers: [{ url: address }] })
}
