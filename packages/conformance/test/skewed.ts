import {
  type DialectName,
  type Executor,
  type Statement,
  type StatementSource,
  statementFor,
} from '@shard/core'

/** How each engine is asked for its time. */
const clocks: Record<DialectName, string> = {
  sqlite: "unixepoch('subsec') * 1000",
  postgres: 'extract(epoch from clock_timestamp()) * 1000',
  mysql: "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000",
}

/** An executor whose database's clock is ahead, by what `aheadMs` says at the time. */
export function skewed(executor: Executor, aheadMs: () => number): Executor {
  const around = (inner: Executor): Executor => {
    const clock = clocks[inner.dialect]
    const later = (source: StatementSource): Statement => {
      const { sql, parameters } = statementFor(source, inner.dialect)
      const ahead = aheadMs()
      if (ahead === 0 || !sql.includes(clock)) return { sql, parameters }
      return { sql: sql.replaceAll(clock, `${clock} + ${ahead}`), parameters }
    }
    return {
      dialect: inner.dialect,
      family: inner.family,
      execute: (source, options) => inner.execute(later(source), options),
      stream: (source, options) => inner.stream(later(source), options),
      transaction: (work, options) => inner.transaction((tx) => work(around(tx)), options),
      shardIds: () => inner.shardIds(),
      close: () => inner.close(),
      [Symbol.asyncDispose]: () => inner.close(),
    }
  }
  return around(executor)
}
