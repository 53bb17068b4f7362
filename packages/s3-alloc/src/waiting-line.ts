import { AbortedError } from '@shard/core'

/** Somebody's place in a line. Each of its ends takes it out of the line. */
export interface Place<Request, Answer> {
  readonly request: Request
  serve(answer: Answer): void
  refuse(error: unknown): void
}

/** Callers that wait, first come, first served; each leaves when its own signal says so, and disturbs no other. */
export class WaitingLine<Request, Answer> {
  readonly #places = new Set<Place<Request, Answer>>()

  get size(): number {
    return this.#places.size
  }

  /** Those who wait, in order. */
  get places(): readonly Place<Request, Answer>[] {
    return [...this.#places]
  }

  /** The first one. */
  get first(): Place<Request, Answer> | undefined {
    return this.#places.values().next().value
  }

  has(place: Place<Request, Answer>): boolean {
    return this.#places.has(place)
  }

  /** @throws AbortedError when the signal ends the wait */
  join(request: Request, signal: AbortSignal | undefined): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const leave = (): void => {
        this.#places.delete(place)
        signal?.removeEventListener('abort', abort)
      }
      const place: Place<Request, Answer> = {
        request,
        serve(answer) {
          leave()
          resolve(answer)
        },
        refuse(error) {
          leave()
          reject(error)
        },
      }
      const abort = (): void => place.refuse(new AbortedError(signal?.reason))
      signal?.addEventListener('abort', abort, { once: true })
      this.#places.add(place)
    })
  }

  /** Refuses everybody who waits now. */
  refuseAll(error: unknown): void {
    for (const place of this.places) place.refuse(error)
  }
}
