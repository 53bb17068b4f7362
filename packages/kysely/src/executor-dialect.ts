import type { Dialect } from 'kysely'
import { ExecutorDriver } from './driver/executor-driver.ts'
import { partsOf } from './driver/parts.ts'
import { handledAdapter, type RoutingHandle } from './routing-handle.ts'

/** Kysely's dialect over an executor. */
export function executorDialect(routing: RoutingHandle): Dialect {
  const parts = partsOf[routing.executor.dialect]
  return {
    createDriver: () => new ExecutorDriver(routing.executor, routing),
    createQueryCompiler: () => ({ compileQuery: (node, queryId) => routing.compile(node, queryId) }),
    createAdapter: () => handledAdapter(parts.createAdapter(), routing, parts),
    createIntrospector: (db) => parts.createIntrospector(db),
  }
}
