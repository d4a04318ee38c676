import document from '../../../docs/openapi.json'
import { DEFAULT_ADDRESS } from './uris.ts'

/** The OpenAPI document, with the service's own address wherever it names one. */
export function openapi(address: string): string {
  return JSON.stringify(document).replaceAll(DEFAULT_ADDRESS, address)
}
