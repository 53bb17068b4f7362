import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { AfterTest } from './run-demo.ts'

/** A way to a server that can be cut, or stand still, and be mended. */
export interface Proxy {
  /** The address of a database, by this way. */
  through(address: string): string
  /** Ends the connections, and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections, and lets nothing through. */
  freeze(): void
  mend(): Promise<void>
}

/** Opens a proxy to the server of an address. */
export async function openProxy(address: string, afterTest: AfterTest): Promise<Proxy> {
  const { hostname, port } = new URL(address)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let own = 0
  let server: Server | null = null
  const pipe = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (data) => isFrozen || to.write(data))
    from.on('error', () => {})
    from.on('close', () => to.destroy())
  }
  const listen = (): Promise<void> =>
    new Promise((resolve) => {
      const opened = createServer((near) => {
        const far = connect(Number(port), hostname)
        pipe(near, far)
        pipe(far, near)
      })
      server = opened.listen(own, '127.0.0.1', () => {
        own = (opened.address() as AddressInfo).port
        resolve()
      })
    })
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server?.close(resolve))
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
  await listen()
  afterTest(cut)
  return {
    through(to) {
      const url = new URL(to)
      url.host = `127.0.0.1:${own}`
      return url.href
    },
    cut,
    freeze() {
      isFrozen = true
    },
    async mend() {
      await cut()
      isFrozen = false
      await listen()
    },
  }
}
