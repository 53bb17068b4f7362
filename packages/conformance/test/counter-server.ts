import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BUCKET } from './counter-client.ts'
import type { StoreEnd, StoreRequest } from './counter-store.ts'

/** A store behind real sockets. */
export interface CounterServer {
  readonly endpoint: string
  close(): Promise<void>
}

/** Serves a store over HTTP: what is broken is cut, what is silent stays open. */
export async function counterServer(
  handle: (request: StoreRequest) => Promise<StoreEnd>,
): Promise<CounterServer> {
  const server: Server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const key = decodeURIComponent((incoming.url ?? '').split('?')[0] ?? '').slice(`/${BUCKET}/`.length)
    const headers = incoming.headers as Record<string, string>
    const body = Buffer.concat(chunks).toString()
    const end = await handle({ method: incoming.method ?? '', key, headers, body })
    if (end === 'silence') return
    if (end === 'broken') {
      incoming.socket.destroy()
      return
    }
    outgoing.writeHead(end.status, end.headers).end(end.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
