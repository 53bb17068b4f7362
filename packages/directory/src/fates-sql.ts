import {
  type CallOptions,
  ClaimRevokedError,
  checkBigint,
  checkText,
  type Executor,
  type Id,
  MAX_ID,
} from '@shard/core'
import { dialectOf, queryBuilder, type RetryOptions, retryRefused, textOf } from '@shard/sql'
import type { ClaimFates } from './claim-fates.ts'
import { directoryDialectOf } from './dialects-sql.ts'
import type { Claim, Fate } from './directory.ts'

type StatementSource = Parameters<Executor['execute']>[0]

interface Tables {
  readonly claim_fate: { readonly id: bigint; readonly token: string; readonly fate: Fate }
}

interface FateRow {
  readonly fate: string | Uint8Array
}

/** Where fates are kept. */
export interface FateOptions {
  /** True where the accounts are in the executor's one database, or in its global one; false: on their shards. */
  readonly accountsHere?: boolean | undefined
  readonly retry?: RetryOptions | undefined
}

/**
 * The fates of claims in `claim_fate`, in the database of each claim's id: where the executor's route for the
 * id leads. Each step is one statement, in whatever engine that shard is.
 */
export function claimFates(
  executor: Executor,
  { accountsHere = false, retry }: FateOptions = {},
): ClaimFates {
  const call = (id: Id, signal: AbortSignal | undefined): CallOptions =>
    accountsHere ? { signal } : { route: { key: id }, signal }
  const fateBy = async (query: StatementSource, call: CallOptions): Promise<Fate | null> => {
    const { rows } = await executor.execute<FateRow>(query, call)
    return rows[0] ? (textOf(rows[0].fate) as Fate) : null
  }
  return {
    read: (id, token, signal) => fateBy(reading(id, token, 'committed'), call(id, signal)),
    async settle(id, token, fate, signal) {
      const insert = writing(id, token, fate)
      await retryRefused(() => executor.execute(insert, call(id, signal)), retry, signal)
      // A row of fates is never removed, so there is one.
      return (await fateBy(reading(id, token, 'current'), call(id, signal))) ?? fate
    },
  }
}

/**
 * Marks a pending claim as used; the first thing in the transaction that inserts its account, on the shard of its
 * id. It waits for a challenger. If this transaction commits, the key can be nobody else's; call `confirm` then.
 * @throws ClaimRevokedError if a challenger came first: nothing may be inserted for this claim
 */
export async function useClaim(
  tx: Executor,
  { id, token }: Pick<Claim, 'id' | 'token'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  checkBigint('an id', id, 1n, MAX_ID)
  const fates = claimFates(tx, { accountsHere: true })
  const fate = await fates.settle(id, checkText('the token of a claim', token, 64), 'used', signal)
  if (fate === 'revoked') throw new ClaimRevokedError()
}

/** `committed` waits for nobody; `current` sees what was committed after its transaction began. */
function reading(id: Id, token: string, what: 'committed' | 'current'): StatementSource {
  return (dialect) => {
    const query = queryBuilder<Tables>(dialectOf({ dialect }))
      .selectFrom('claim_fate')
      .select('fate')
      .where('id', '=', id)
      .where('token', '=', token)
    const { current } = directoryDialectOf({ dialect })
    return (what === 'current' ? query.modifyEnd(current) : query).compile()
  }
}

function writing(id: Id, token: string, fate: Fate): StatementSource {
  return (dialect) =>
    queryBuilder<Tables>(dialectOf({ dialect }))
      .insertInto('claim_fate')
      .values({ id, token, fate })
      .modifyEnd(directoryDialectOf({ dialect }).ifAbsent.claim_fate)
      .compile()
}
