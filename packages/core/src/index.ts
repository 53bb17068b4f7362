export { type Aggregate, type AggregateOptions, aggregate } from './aggregate.ts'
export { checkBigint, checkInteger, checkNumber, checkSignal, checkText } from './argument.ts'
export { type Backoff, backoffMs } from './backoff.ts'
export { type Catalog, staticCatalog } from './catalog.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  CounterCorruptError,
  CounterExistsError,
  CounterMissingError,
  type CounterSign,
  CounterWentBackError,
  ExhaustedError,
  StoreRefusedError,
  StoreUnavailableError,
  StoreUnsafeError,
} from './counter-errors.ts'
export { type Delay, delay } from './delay.ts'
export {
  ClaimPendingError,
  ClaimRevokedError,
  InvalidKeyError,
  KeyTakenError,
} from './directory-errors.ts'
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
  ClockSkewError,
  CrossShardError,
  CrossShardTransactionError,
  type ErrorCode,
  type ErrorFacts,
  FencedError,
  IncompleteFanOutError,
  InvalidArgumentError,
  isShardError,
  LayoutExpiredError,
  LayoutMismatchError,
  LeaseLostError,
  NoFreeWorkerError,
  NoShardAvailableError,
  NotFoundError,
  type Outcome,
  SchemaMismatchError,
  ShardError,
  TransactionBusyError,
  UnknownShardError,
  UnroutedError,
  type WorkerHolder,
  WrongDatabaseError,
} from './errors.ts'
export type {
  CallOptions,
  ConnectionCheck,
  DialectName,
  Executor,
  Result,
  Route,
  Statement,
  StatementSource,
} from './executor.ts'
export type { ShardFailure } from './fan-out/ask.ts'
export type { ColumnType } from './fan-out/compare.ts'
export type { AskOptions, FanOutOptions } from './fan-out/options.ts'
export type { OrderBy } from './fan-out/order.ts'
export { type FanOutResult, fanOut } from './fan-out.ts'
export { hashKey, mix64 } from './hash.ts'
export { HashLocator } from './hash-locator.ts'
export { formatId, type Id, MAX_ID, parseId, type RoutingKey, type ShardId } from './id.ts'
export { IdAllocator, type IdAllocatorOptions, type IdParts } from './id-allocator.ts'
export { ShardCodec, type ShardCodecOptions } from './id-codec.ts'
export { formatIdSortable, parseIdSortable } from './id-sortable.ts'
export type { Attributes } from './instrument/attributes.ts'
export type { CallEnd, CallHooks, CallStart } from './instrument/call.ts'
export { instrument } from './instrument.ts'
export { checkLayout, checkSameLayout, type Layout, layouts } from './layout.ts'
export type { OpenedShard } from './lazy-catalog/pool.ts'
export { type LazyCatalogOptions, lazyCatalog } from './lazy-catalog.ts'
export type { ShardLocator } from './locator.ts'
export { MovedLocator } from './moved-locator.ts'
export { checkFamily, directoryDatabaseName, shardDatabaseName } from './naming.ts'
export type { Place, Places } from './place.ts'
export { ShardingSettings } from './settings.ts'
export { ShardedExecutor, type ShardedExecutorOptions } from './sharded-executor.ts'
export { SlotLocator, type SlotMap } from './slot-locator.ts'
export { statementFor } from './statement.ts'
export { type StreamFanOutOptions, streamFanOut } from './stream-fan-out.ts'
export type { WorkerLease } from './worker-lease.ts'
