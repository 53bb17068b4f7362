import {
  checkInteger,
  checkSignal,
  checkText,
  ShardCodec,
  type ShardId,
  systemClock,
  delay as timer,
} from '@shard/core'
import type { ShardRecord } from '@shard/registry'
import type { Workshop } from './provisioner/make-shard.ts'
import type {
  ProvisionAction,
  ProvisionCall,
  ProvisionerOptions,
  ProvisionReport,
  ProvisionStep,
} from './provisioner/options.ts'
import type { PlanOptions } from './provisioner/plan.ts'
import { actionOf, type Log, plannedActions, provision, retireAll } from './provisioner/run.ts'
import { underLease } from './provisioner/under-lease.ts'

/** How long a new standby may take before `clean` may take it for lost: an hour. */
const OLD_MS = 3_600_000

/**
 * Makes the databases of new shards, and keeps so many of them ready as standbys.
 *
 * The row in the registry comes first, at `provisioning`; then the database, its identity, its tables, and then
 * `standby`. So no database is there that no row speaks of, and a run that died anywhere is finished by the next. A
 * lease lets one provisioner of a family work at a time; one that was paused for longer than its lease does no harm,
 * as each step is repeatable and each change of status a compare-and-set. A database is dropped only while its row is
 * `retired` and was never more than `provisioning`, and only if it is blank or has this shard's identity.
 */
export class Provisioner {
  readonly #options: ProvisionerOptions
  readonly #plan: PlanOptions
  readonly #settled = new Set<ShardId>()

  /** @throws InvalidArgumentError for a bad number or text */
  constructor(options: ProvisionerOptions) {
    this.#options = options
    checkInteger('leaseTtlMs', options.leaseTtlMs ?? 30_000, 1, 86_400_000)
    checkText('the name of a cluster', options.provision.cluster, 63)
    const { maxShard } = options.codec ?? ShardCodec.default
    this.#plan = {
      family: options.registry.family,
      keepStandbys: checkInteger('keepStandbys', options.keepStandbys, 0, 1_000),
      firstShard: checkInteger('firstShard', options.firstShard ?? 1, 0, maxShard),
      maxShard,
      describe: options.describe ?? (() => ({})),
    }
  }

  /**
   * Finishes what earlier runs began, drops what they left, and makes shards until there are `keepStandbys` standbys.
   * A name that another's database has is given up: its row is retired, and the next number is taken. Any other
   * failure ends the run, and is in the report; the next run tries again.
   * @throws AbortedError, the registry's errors, and what `onStep` throws
   */
  run({ dryRun = false, signal }: ProvisionCall = {}): Promise<ProvisionReport> {
    return dryRun
      ? this.#planned(signal, (shop) => plannedActions(shop, this.#plan, this.#settled))
      : this.#underLease(signal, (shop, log) => provision(shop, this.#plan, this.#settled, log))
  }

  /**
   * Retires rows that have stood at `provisioning` for longer than `olderThanMs` (an hour), such as of shards that
   * cannot be made, and drops their databases. By the host's clock.
   * @throws AbortedError, the registry's errors, and what `onStep` throws
   */
  clean({
    olderThanMs = OLD_MS,
    dryRun = false,
    signal,
  }: ProvisionCall & { readonly olderThanMs?: number | undefined } = {}): Promise<ProvisionReport> {
    checkInteger('olderThanMs', olderThanMs, 0, Number.MAX_SAFE_INTEGER)
    const { registry, clock = systemClock } = this.#options
    const isOld = ({ status, createdAtMs }: ShardRecord): boolean =>
      status === 'provisioning' && createdAtMs <= clock.now() - olderThanMs
    const old = async (): Promise<readonly ShardRecord[]> => (await registry.list({ signal })).filter(isOld)
    return dryRun
      ? this.#planned(signal, async () => (await old()).map((shard) => actionOf('retire', shard)))
      : this.#underLease(signal, async (shop, log) => retireAll(shop, await old(), log))
  }

  /** Runs until the signal is aborted: now, and `everyMs` (30,000) after each run's end. Errors are told, and it goes on. */
  async watch({
    everyMs = 30_000,
    signal,
    onRun,
  }: {
    readonly everyMs?: number
    readonly signal: AbortSignal
    readonly onRun?: (end: ProvisionReport | { readonly state: 'error'; readonly error: unknown }) => void
  }): Promise<void> {
    checkInteger('everyMs', everyMs, 1, 86_400_000)
    const { delay = timer } = this.#options
    while (!signal.aborted) {
      const end = await this.run({ signal }).catch((error: unknown) => ({ state: 'error' as const, error }))
      if (signal.aborted) return
      onRun?.(end)
      await delay(everyMs, signal).catch(() => {})
    }
  }

  async #planned(
    signal: AbortSignal | undefined,
    plan: (shop: Workshop) => Promise<readonly ProvisionAction[]>,
  ): Promise<ProvisionReport> {
    checkSignal(signal)
    return {
      state: 'done',
      actions: await plan(this.#shop(signal ?? new AbortController().signal)),
      failures: [],
    }
  }

  async #underLease(
    signal: AbortSignal | undefined,
    work: (shop: Workshop, log: Log) => Promise<void>,
  ): Promise<ProvisionReport> {
    const {
      registry,
      leases,
      owner = 'provisioner',
      leaseTtlMs: ttlMs = 30_000,
      delay = timer,
    } = this.#options
    checkSignal(signal)
    const log: Log = { actions: [], failures: [] }
    const name = `provision.${registry.family}`
    const end = await underLease({ leases, name, owner, ttlMs, delay, signal }, (held) =>
      work(this.#shop(held), log),
    )
    if (end.state !== 'done') return { state: end.state, ...log }
    return { state: log.failures.length > 0 ? 'failed' : 'done', ...log }
  }

  #shop(signal: AbortSignal): Workshop {
    const { registry, provision, onStep } = this.#options
    const thrown: unknown[] = []
    return {
      registry,
      provision,
      signal,
      async done(step: ProvisionStep['step'], { id, name }: ShardRecord) {
        try {
          await onStep?.({ step, shard: id, name })
        } catch (error) {
          thrown.push(error)
          throw error
        }
      },
      hookError: (error) => thrown.includes(error),
    }
  }
}
