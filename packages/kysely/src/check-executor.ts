import { type Executor, InvalidArgumentError, type Places } from '@shard/core'
import { partsOf } from './driver/parts.ts'

/** @throws InvalidArgumentError for what is no executor */
export function checkExecutor(executor: Executor): Executor & Partial<Places> {
  if (typeof executor?.execute === 'function' && Object.hasOwn(partsOf, executor.dialect)) return executor
  throw new InvalidArgumentError('an executor is expected')
}
