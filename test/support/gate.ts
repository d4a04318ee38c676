import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkDocumented } from './document.ts'

export interface Gate {
  url: string
  /** What replies were that the document does not tell of. */
  findings: string[]
  close(): Promise<void>
}

/** A door in front of a service: hands requests on, and holds each reply against the document on its way back. */
export async function openGate(service: string): Promise<Gate> {
  const { hostname, port } = new URL(service)
  const findings: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const onward = request({ hostname, port, method, path: url, headers }, async (reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const status = reply.statusCode ?? 0
      try {
        checkDocumented(method, url, { status, headers: flat(reply.headers), body: body.toString() })
      } catch (error) {
        findings.push((error as Error).message)
      }
      outgoing.writeHead(status, reply.rawHeaders).end(body)
    })
    // Nobody answered, or not to the end: neither do we.
    onward.on('error', () => incoming.socket.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    findings,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
