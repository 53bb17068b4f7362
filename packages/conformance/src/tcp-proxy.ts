import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { OneWay, type Weather } from './tcp-proxy/one-way.ts'

/** How a connection ends: in good order, or as when the other machine has forgotten it. */
export type Ending = 'end' | 'reset'

/** How new connections end by themselves; every field has a default. */
export interface HangUp {
  /** After so many pieces that the server has said; the next one does not pass (0: at once, before the server is asked). */
  readonly after?: number
  /** The next so many connections (all). */
  readonly times?: number
  readonly how?: Ending
}

/** A way to a server that can be made to fail; a new one lets everything pass. */
export interface TcpProxy extends AsyncDisposable {
  /** Where it listens, on 127.0.0.1; the same for good. */
  readonly port: number
  /** How many connections go through it now. */
  readonly connections: number
  /** How many it has hung up on. */
  readonly refusals: number
  /** From now on each piece takes so long, both ways. */
  delay(ms: number): void
  /** From now on nothing passes and nothing ends, as on a network that has gone silent; clients can connect. */
  stall(): void
  /** From now on the server's replies are thrown away: it does what it is asked, and nobody hears of it. */
  swallow(): void
  /** From now on new connections are accepted, and end by themselves. */
  hangUp(options?: HangUp): void
  /** From now on new connections are refused; those that are open go on. */
  refuse(): Promise<void>
  /** Lets everything pass again. What was thrown away is lost. */
  pass(): Promise<void>
  /** Ends all connections, both sides. */
  cut(how?: Ending): void
  /** Ends all connections and listens no more. */
  close(): Promise<void>
}

/**
 * Starts a proxy to a server, on a free port of 127.0.0.1. What happens on it happens to all its connections.
 * To lose a reply after its statement has been committed: `swallow()`, send the statement, see on another
 * connection that it has been applied, `cut()`.
 */
export async function tcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const proxy = new ServerProxy(target)
  await proxy.listen(0)
  return proxy
}

class ServerProxy implements TcpProxy {
  port = 0
  refusals = 0
  readonly #target: { host: string; port: number }
  readonly #weather: Weather = { latencyMs: 0, isStalled: false, isSwallowing: false }
  readonly #links = new Map<Socket, { server: Socket; ways: OneWay[] }>()
  readonly #server: Server
  #hangUp: Required<HangUp> = { after: 0, times: 0, how: 'end' }

  constructor(target: { host: string; port: number }) {
    this.#target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  get connections(): number {
    return this.#links.size
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        this.port = (this.#server.address() as AddressInfo).port
        resolve()
      })
    })
  }

  delay(ms: number): void {
    this.#weather.latencyMs = ms
  }

  stall(): void {
    this.#change({ isStalled: true })
  }

  swallow(): void {
    this.#change({ isSwallowing: true })
  }

  hangUp({ after = 0, times = Number.POSITIVE_INFINITY, how = 'end' }: HangUp = {}): void {
    this.#hangUp = { after, times, how }
  }

  async refuse(): Promise<void> {
    // The callback would wait for the connections that go on.
    if (this.#server.listening) this.#server.close()
  }

  async pass(): Promise<void> {
    this.hangUp({ times: 0 })
    this.#change({ isStalled: false, isSwallowing: false })
    if (!this.#server.listening) await this.listen(this.port)
  }

  cut(how: Ending = 'end'): void {
    for (const [client, { server }] of this.#links) {
      end(client, how)
      server.destroy()
    }
  }

  async close(): Promise<void> {
    await this.refuse()
    this.cut()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #accept(client: Socket): void {
    const { after, times, how } = this.#hangUp
    if (times > 0) {
      this.#hangUp = { after, times: times - 1, how }
      this.refusals++
    }
    client.on('error', () => {})
    if (times > 0 && after === 0) {
      end(client, how)
      return
    }
    const server = connect(this.#target)
    for (const socket of [client, server]) socket.setNoDelay(true)
    let replies = 0
    // Before the one that passes the piece on.
    server.on('data', () => {
      if (times > 0 && replies++ === after) end(client, how)
    })
    const ways = [
      new OneWay(client, server, this.#weather, false),
      new OneWay(server, client, this.#weather, true),
    ]
    this.#links.set(client, { server, ways })
    client.once('close', () => this.#links.delete(client))
  }

  #change(weather: Partial<Weather>): void {
    Object.assign(this.#weather, weather)
    for (const { ways } of this.#links.values()) for (const way of ways) way.weatherChanged()
  }
}

function end(socket: Socket, how: Ending): void {
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}
