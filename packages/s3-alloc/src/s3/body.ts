import { MAX_ID } from '@shard/core'

/** What is in a counter's object. The older format is the bare value, in decimal, and nothing else. */
export interface CounterBody {
  readonly value: bigint
  readonly generation: string | null
  readonly home: string | null
  /** New with each attempt to write; null in the older format. */
  readonly nonce: string | null
}

const FORMAT = 1

/** No object of ours is longer, in bytes. */
export const MAX_BODY_BYTES = 8_192

/** Is this text of the older format? One line feed at its end is an editor's. */
const bare = /^(0|[1-9]\d{0,18})\n?$/

/** The text of an object. */
export function formatBody({ value, generation, home, nonce }: CounterBody): string {
  if (nonce === null) return `${value}`
  return JSON.stringify({ format: FORMAT, value: `${value}`, generation, home, nonce })
}

/** Reads the text of an object; a string says why it cannot be read. */
export function parseBody(text: string): CounterBody | string {
  if (text === '') return 'it is empty'
  const digits = bare.exec(text)?.[1]
  if (digits !== undefined)
    return inRange({ value: BigInt(digits), generation: null, home: null, nonce: null })
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return 'it is neither JSON nor a number'
  }
  if (typeof parsed !== 'object' || parsed === null) return 'it is not an object'
  const { format, value, generation, home, nonce } = parsed as Record<string, unknown>
  if (format !== FORMAT) return `its format is ${JSON.stringify(format)}, and this version reads ${FORMAT}`
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,18})$/.test(value))
    return 'its value is not a whole number'
  if (typeof generation !== 'string' || generation === '') return 'it has no generation'
  if (typeof nonce !== 'string' || nonce === '') return 'it has no nonce'
  if (home !== null && typeof home !== 'string') return 'its home is not text'
  return inRange({ value: BigInt(value), generation, home, nonce })
}

function inRange(body: CounterBody): CounterBody | string {
  return body.value > MAX_ID ? 'its value is above 2^63-1' : body
}
