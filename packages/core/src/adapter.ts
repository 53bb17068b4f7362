/**
 * For the author of an `Executor` over another driver: how a caller's statement is checked, how a transaction
 * is run over one connection, how waiting is kept in order, and what the engines' errors mean. Core's own
 * adapters are made of the same parts, and `executorSuite` of `@shard/conformance` says when one is done.
 */
export { InFlight } from './in-flight.ts'
export { translate as mysqlError } from './mysql/errors.ts'
export { translate as postgresError } from './postgres/errors.ts'
export { isBigint as postgresIsBigint } from './postgres/rows.ts'
export { enterInside, ownersOutside, refuseInside, runInside } from './scope.ts'
export { bareText } from './sql-text.ts'
export { translate as sqliteError } from './sqlite/errors.ts'
export { narrowInteger, staysBigint as sqliteStaysBigint } from './sqlite/integers.ts'
export { callersStatement } from './statement.ts'
export { type Session, transact } from './transaction-executor.ts'
export { Turnstile } from './turnstile.ts'
