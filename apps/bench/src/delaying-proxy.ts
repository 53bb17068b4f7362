import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a client and a server. */
export interface DelayingProxy {
  readonly port: number
  /** From now on no answer passes. */
  freeze(): void
  close(): void
}

/** A port on loopback that passes everything on to a server, each answer `delayMs` later. */
export async function delayingProxy(
  target: { host: string; port: number },
  delayMs: number,
): Promise<DelayingProxy> {
  let isFrozen = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.setNoDelay(true)
    }
    client.pipe(upstream)
    upstream.on('data', (data) => {
      if (!isFrozen) setTimeout(() => client.write(data), delayMs)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  const freeze = (): void => {
    isFrozen = true
  }
  return { port, freeze, close }
}
