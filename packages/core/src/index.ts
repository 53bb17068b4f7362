export { checkBigint, checkInteger, checkNumber, checkSignal, checkText } from './argument.ts'
export { type Catalog, staticCatalog } from './catalog.ts'
export { type Clock, systemClock } from './clock.ts'
export { type Delay, delay } from './delay.ts'
export {
  AbortedError,
  BusyError,
  ClosedError,
  ConnectionLostError,
  ConstraintViolationError,
  DeadlockError,
  DiskFullError,
  IntegerOutOfRangeError,
  QueryFailedError,
  ReadOnlyError,
  SerializationFailureError,
  TimeoutError,
  UniqueViolationError,
} from './driver-errors.ts'
export {
  ClockAheadError,
  ClockBeforeEpochError,
  CrossShardTransactionError,
  type ErrorCode,
  type ErrorFacts,
  IncompleteFanOutError,
  InvalidArgumentError,
  InvalidKeyError,
  isShardError,
  KeyTakenError,
  LayoutExpiredError,
  LayoutMismatchError,
  NoShardAvailableError,
  NotFoundError,
  type Outcome,
  SchemaMismatchError,
  ShardError,
  TransactionBusyError,
  UnknownShardError,
  WrongDatabaseError,
} from './errors.ts'
export type {
  CallOptions,
  DialectName,
  Executor,
  Result,
  Route,
  Statement,
  StatementSource,
} from './executor.ts'
export { type FanOutOptions, type FanOutResult, fanOut, type ShardFailure } from './fan-out.ts'
export type { OrderBy } from './fan-out-order.ts'
export { hashKey, mix64 } from './hash.ts'
export { formatId, type Id, MAX_ID, parseId, type RoutingKey, type ShardId } from './id.ts'
export { IdAllocator, type IdAllocatorOptions, type IdParts } from './id-allocator.ts'
export { ShardCodec, type ShardCodecOptions } from './id-codec.ts'
export { type Layout, layouts } from './layout.ts'
export type { ShardLocator } from './locator.ts'
export { checkFamily, directoryDatabaseName, shardDatabaseName } from './naming.ts'
export { ShardingSettings } from './settings.ts'
export { ShardedExecutor, type ShardedExecutorOptions } from './sharded-executor.ts'
export { statementFor } from './statement.ts'
