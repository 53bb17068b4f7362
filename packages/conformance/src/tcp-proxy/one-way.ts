import type { Socket } from 'node:net'

/** What a proxy does with what passes; shared by all its connections. */
export interface Weather {
  /** How long each piece is under way. */
  latencyMs: number
  isStalled: boolean
  /** What the server says is thrown away. */
  isSwallowing: boolean
}

/** One direction of a connection: pieces leave in the order in which they came. */
export class OneWay {
  readonly #from: Socket
  readonly #to: Socket
  readonly #weather: Weather
  readonly #isReply: boolean
  readonly #under: { piece: Buffer; dueMs: number }[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(from: Socket, to: Socket, weather: Weather, isReply: boolean) {
    this.#from = from
    this.#to = to
    this.#weather = weather
    this.#isReply = isReply
    from.on('data', (piece: Buffer) => this.#take(piece))
    from.on('drain', () => this.weatherChanged())
    from.on('close', () => this.#end())
    from.on('error', () => {})
    to.on('drain', () => this.weatherChanged())
    this.weatherChanged()
  }

  /** Stops reading, or goes on. */
  weatherChanged(): void {
    if (this.#weather.isStalled) this.#from.pause()
    else if (!this.#to.writableNeedDrain) this.#from.resume()
    this.#pass()
  }

  #take(piece: Buffer): void {
    const { isSwallowing, latencyMs } = this.#weather
    if (isSwallowing && this.#isReply) return
    this.#under.push({ piece, dueMs: performance.now() + latencyMs })
    this.#pass()
  }

  #pass(): void {
    clearTimeout(this.#timer)
    if (this.#weather.isStalled) return
    for (let next = this.#under[0]; next; next = this.#under[0]) {
      const waitMs = next.dueMs - performance.now()
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#pass(), waitMs)
        return
      }
      this.#under.shift()
      if (!this.#to.destroyed && !this.#to.write(next.piece)) this.#from.pause()
    }
  }

  #end(): void {
    clearTimeout(this.#timer)
    for (const { piece } of this.#under.splice(0)) if (!this.#to.destroyed) this.#to.write(piece)
    this.#to.end()
  }
}
