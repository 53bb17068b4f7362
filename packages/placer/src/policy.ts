import type { ShardRecord } from '@shard/registry'

/** A shard with room, as a policy sees it. */
export interface Candidate {
  readonly shard: ShardRecord
  /** Bytes in use and bytes reserved, over the bytes allowed; 0 if unlimited. */
  readonly fill: number
  /** Keys that this process has placed there since it came into view. */
  readonly placed: number
}

/** What is asked for. */
export interface PlacementRequest {
  /** Where the key had better live; null: anywhere. */
  readonly region: string | null
  /** From 0 up to, but not, 1. */
  random(): number
}

/** How a shard is chosen. It does no I/O, and changes nothing. */
export interface Policy {
  /** The shard for the next key, of those with room, which are ascending by number; null if none of them will do. */
  choose<C extends Candidate>(candidates: readonly C[], request: PlacementRequest): C | null
  /**
   * May the shard ever be chosen for the request (yes)? If none that may has room, a full one that may is sealed, and
   * only a standby that may takes over.
   */
  serves?(shard: ShardRecord, request: PlacementRequest): boolean
}

/** The first shard with room: one after the other is filled. */
export const fillFirst: Policy = {
  choose: (candidates) => candidates[0] ?? null,
}

/** The emptiest shard in proportion to its limit; among equals the one that this process has used least, then the first. */
export const leastFilled: Policy = {
  choose(candidates) {
    let best = candidates[0] ?? null
    for (const next of candidates) if (best === null || isEmptier(next, best)) best = next
    return best
  },
}

/**
 * A random shard, each as likely as its weight says: the bytes that are left, unless given; an unlimited one weighs
 * as much as the heaviest. A weight that is no finite number above 0 is never drawn while another can be.
 */
export function weighted(weightOf?: (shard: ShardRecord) => number): Policy {
  return {
    choose(candidates, { random }) {
      const weights = weightsOf(candidates, weightOf)
      let at = random() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [i, weight] of weights.entries()) {
        if (weight > 0 && at < weight) return candidates[i] ?? null
        at -= weight
      }
      return candidates[0] ?? null
    },
  }
}

/**
 * Keeps to the region that `place({ region })` names, and leaves the choice within it to another policy. Without a
 * shard with room there, any region will do; with `strict`, none will, and the region's own standby begins.
 */
export function regionAffine(
  within: Policy = fillFirst,
  { strict = false }: { strict?: boolean } = {},
): Policy {
  const isAway = (shard: ShardRecord, region: string | null): boolean =>
    region !== null && shard.region !== region
  return {
    choose(candidates, request) {
      const { region } = request
      if (region === null) return within.choose(candidates, request)
      const near = candidates.filter(({ shard }) => !isAway(shard, region))
      return within.choose(near, request) ?? (strict ? null : within.choose(candidates, request))
    },
    serves: (shard, request) =>
      !(strict && isAway(shard, request.region)) && (within.serves?.(shard, request) ?? true),
  }
}

function isEmptier(a: Candidate, b: Candidate): boolean {
  return a.fill === b.fill ? a.placed < b.placed : a.fill < b.fill
}

function weightsOf(
  candidates: readonly Candidate[],
  weightOf: ((shard: ShardRecord) => number) | undefined,
): readonly number[] {
  if (weightOf) return candidates.map(({ shard }) => positive(weightOf(shard)))
  const left = candidates.map(({ shard: { maxBytes, sizeBytes } }) =>
    maxBytes === null ? null : positive(Number(maxBytes - sizeBytes)),
  )
  const heaviest = Math.max(0, ...left.map((bytes) => bytes ?? 0)) || 1
  return left.map((bytes) => bytes ?? heaviest)
}

function positive(weight: number): number {
  return Number.isFinite(weight) ? Math.max(weight, 0) : 0
}
