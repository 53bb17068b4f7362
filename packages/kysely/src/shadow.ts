import type { ShardLocator } from '@shard/core'

/** A statement that sharding would refuse. */
export interface ShadowFinding {
  readonly code: 'UNROUTED' | 'CROSS_SHARD' | 'CROSS_SHARD_TRANSACTION'
  readonly table: string | null
  readonly key: string | null
  readonly reason: string
  /** The statement's text; values are not in it. */
  readonly shape: string
  /** The place in the app that ran it; null if it cannot be told. */
  readonly site: string | null
  /** How often it was seen so far; it goes on counting. */
  readonly count: number
}

/** Is called once for each shape, place in the code and reason. What it throws is thrown by the statement. */
export type Shadow = (finding: ShadowFinding) => void

/** Who is told, and where keys would live. */
export interface ShadowOptions {
  readonly report: Shadow
  /** Without it, and with an executor of one database, two keys count as two shards. */
  readonly locator?: ShardLocator
}

type Counted = { -readonly [Field in keyof ShadowFinding]: ShadowFinding[Field] }

/** More kinds of findings than this are not kept apart, nor told. */
const MAX_FINDINGS = 10_000

/** Findings by what tells them apart. */
export class ShadowFindings {
  readonly #report: Shadow
  readonly #found = new Map<string, Counted>()

  constructor(report: Shadow) {
    this.#report = report
  }

  add(finding: Omit<ShadowFinding, 'count'>): void {
    const { code, table, key, reason, shape, site } = finding
    const name = JSON.stringify([code, table, key, reason, shape, site])
    const known = this.#found.get(name)
    if (known) known.count++
    if (known || this.#found.size >= MAX_FINDINGS) return
    const counted: Counted = { ...finding, count: 1 }
    this.#found.set(name, counted)
    this.#report(counted)
  }
}
