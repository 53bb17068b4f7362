import { checkInteger, show } from './argument.ts'
import { InvalidArgumentError, LayoutMismatchError } from './errors.ts'

/** How a minted id is split; a layout once used is for ever. */
export interface Layout {
  readonly shardBits: number
  /** Bits of milliseconds since `epochMs`. */
  readonly timeBits: number
  /** Bits of the counter within a millisecond; they include `workerBits`. */
  readonly counterBits: number
  /** The top bits of the counter that hold a leased worker's number. */
  readonly workerBits: number
  readonly epochMs: number
  readonly idBits: 53 | 64
}

/** 2024-01-01T00:00:00Z */
const EPOCH_MS = 1_704_067_200_000

/** The layouts to choose from. */
export const layouts: { readonly default: Layout; readonly safeInteger: Layout; readonly wide: Layout } = {
  /** 2,048 shards until 2163; 1,024 ids per ms and shard for one process. */
  default: { shardBits: 12, timeBits: 42, counterBits: 10, workerBits: 5, epochMs: EPOCH_MS, idBits: 64 },
  /** Ids that are safe JS integers: 256 shards until 2093; 16 ids per ms; one process. */
  safeInteger: { shardBits: 8, timeBits: 41, counterBits: 4, workerBits: 0, epochMs: EPOCH_MS, idBits: 53 },
  /** 131,072 shards until 2093; meant for block-reserved sequences. */
  wide: { shardBits: 18, timeBits: 41, counterBits: 5, workerBits: 0, epochMs: EPOCH_MS, idBits: 64 },
}

/**
 * Returns a copy of the layout, which nobody can change, if its parts fit its id.
 * @throws InvalidArgumentError
 */
export function checkLayout(layout: Layout): Layout {
  if (typeof layout !== 'object' || layout === null)
    throw new InvalidArgumentError(`a layout cannot be ${show(layout)}`)
  checkInteger('shardBits', layout.shardBits, 1, 24)
  checkInteger('timeBits', layout.timeBits, 1, 52)
  checkInteger('counterBits', layout.counterBits, 1, 22)
  checkInteger('workerBits', layout.workerBits, 0, layout.counterBits)
  checkInteger('epochMs', layout.epochMs, 0, 2 ** 52)
  const bits = layout.shardBits + layout.timeBits + layout.counterBits
  if ((layout.idBits === 53 || layout.idBits === 64) && bits <= layout.idBits)
    return Object.freeze({ ...layout })
  throw new InvalidArgumentError(`a layout of ${bits} bits does not fit an id of ${show(layout.idBits)}`)
}

/** The first instant, in unix milliseconds, that the layout cannot hold. */
export function expiresAtMs(layout: Layout): number {
  return layout.epochMs + 2 ** layout.timeBits
}

const names = ['shardBits', 'timeBits', 'counterBits', 'workerBits', 'epochMs', 'idBits'] as const

/**
 * Makes sure that ids are split here as they are there: on record, or in a lease.
 * @throws LayoutMismatchError naming what differs
 */
export function checkSameLayout(there: Layout, here: Layout): void {
  for (const name of names) {
    if (there[name] !== here[name])
      throw new LayoutMismatchError(`${name} is ${show(there[name])} on record, ${show(here[name])} here`)
  }
}
