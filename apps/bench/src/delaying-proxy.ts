import { connect, createServer, type Socket } from 'node:net'

/** A port on loopback that passes everything on to a server, each answer `delayMs` later. */
export async function delayingProxy(
  target: { host: string; port: number },
  delayMs: number,
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.setNoDelay(true)
    }
    client.pipe(upstream)
    upstream.on('data', (data) => setTimeout(() => client.write(data), delayMs))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port, close }
}
