import { CounterCorruptError, checkBigint, checkSignal, checkText, MAX_ID } from '@shard/core'
import type { CounterCall, CounterReading, ScratchCounter, SwapCall, SwapResult } from '../counter.ts'
import { randomText } from '../random-text.ts'
import { type CounterBody, formatBody, parseBody } from './body.ts'
import { type EtagSpelling, strongEtag } from './etag.ts'
import type { S3Store } from './store.ts'
import { failureOf, isNoSuchKey, verdictOf } from './verdict.ts'

/** What a counter in S3 is made of. */
export interface S3CounterParts {
  readonly store: S3Store
  readonly key: string
  readonly name: string
  readonly home: () => Promise<string | null>
  readonly spelling: EtagSpelling
  readonly upgradeFormat: boolean
}

/** How many bodies are remembered by their ETag, so that a swap need not read what was just loaded. */
const REMEMBERED = 16

/** A counter in one object; its version is the ETag. */
export class S3Counter implements ScratchCounter {
  readonly name: string
  readonly #parts: S3CounterParts
  readonly #bodies = new Map<string, CounterBody>()

  constructor(parts: S3CounterParts) {
    this.#parts = parts
    this.name = parts.name
  }

  home(): Promise<string | null> {
    return this.#parts.home()
  }

  async load(call: CounterCall = {}): Promise<CounterReading | null> {
    const answer = await this.#parts.store.get(this.#parts.key, call)
    if (isNoSuchKey(answer)) return null
    if (answer.status !== 200) throw failureOf(answer, 'a GET', 'not-applied')
    const version = strongEtag(answer.etag)
    const body = 'text' in answer.body ? parseBody(answer.body.text) : 'it is far too long'
    if (typeof body === 'string') throw new CounterCorruptError(body, version)
    this.#remember(version, body)
    return { value: body.value, version, generation: body.generation, home: body.home }
  }

  async swap(version: string | null, value: bigint, call: SwapCall = {}): Promise<SwapResult> {
    checkBigint('value', value, 0n, MAX_ID)
    if (version !== null) checkText('version', version, 1_000)
    checkSignal(call.signal)
    const { store, key, spelling } = this.#parts
    const next = await this.#next(version, value, call)
    if (next === null) return 'lost'
    const text = formatBody(next)
    const wasTurned = spelling.isTurned
    const condition =
      version === null ? ({ IfNoneMatch: '*' } as const) : { IfMatch: spelling.spell(version) }
    const answer = await store.put(key, text, condition, call)
    const verdict = verdictOf(answer, version === null)
    if (verdict === 'refused') return 'lost'
    if (verdict === 'applied') return 'ok'
    const result = await this.#settle(version, next, call)
    if (result !== 'unchanged') return result
    if (answer.status !== 412) return 'unknown'
    spelling.refused(wasTurned)
    return 'lost'
  }

  /** For `probe` and tests: a counter in use must not be removed. */
  async remove(call: CounterCall = {}): Promise<void> {
    const answer = await this.#parts.store.delete(this.#parts.key, call)
    if (answer.status >= 300 && answer.status !== 404) throw failureOf(answer, 'a DELETE', 'unknown')
    if (answer.status === 0) throw failureOf(answer, 'a DELETE', 'unknown')
  }

  scratch(): ScratchCounter {
    const suffix = `.probe-${randomText()}`
    return new S3Counter({
      ...this.#parts,
      key: this.#parts.key + suffix,
      name: this.name + suffix,
      upgradeFormat: true,
    })
  }

  /** The body of an attempt; null if the version is no longer there. */
  async #next(version: string | null, value: bigint, call: SwapCall): Promise<CounterBody | null> {
    const { generation, home } = call
    const isWhole = version === null || (generation !== undefined && home !== undefined)
    const base = isWhole ? null : await this.#bodyOf(version, call)
    if (!isWhole && base === null) return null
    const isBare = base?.nonce === null && !this.#parts.upgradeFormat && generation === undefined
    if (isBare) return { value, generation: null, home: null, nonce: null }
    return {
      value,
      generation: generation ?? base?.generation ?? randomText(),
      home: home ?? base?.home ?? (await this.#parts.home()),
      nonce: randomText(),
    }
  }

  async #bodyOf(version: string, call: CounterCall): Promise<CounterBody | null> {
    if (!this.#bodies.has(version)) await this.load(call)
    return this.#bodies.get(version) ?? null
  }

  #remember(version: string, body: CounterBody): void {
    this.#bodies.set(version, body)
    const [oldest] = this.#bodies.keys()
    if (this.#bodies.size > REMEMBERED && oldest !== undefined) this.#bodies.delete(oldest)
  }

  /**
   * Reads what there is after an attempt of which nobody knows what became of it. Only a body with its nonce
   * proves that it was applied; the object as it was proves nothing, since the attempt may still arrive.
   */
  async #settle(
    version: string | null,
    next: CounterBody,
    call: CounterCall,
  ): Promise<SwapResult | 'unchanged'> {
    const { store, key } = this.#parts
    const now = await store.get(key, call).catch(() => null)
    if (now === null) return 'unknown'
    if (now.status === 404 && version !== null) return 'lost'
    if (now.status !== 200) return 'unknown'
    if (next.nonce !== null && 'text' in now.body && now.body.text === formatBody(next)) return 'ok'
    return version === null || now.etag !== version ? 'lost' : 'unchanged'
  }
}
