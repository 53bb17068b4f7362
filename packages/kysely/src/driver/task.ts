import type { Place, Route, Statement } from '@shard/core'
import type { Freedom } from '../routing/router.ts'

/** A statement that is about to run. */
export interface Task {
  readonly statement: Statement
  readonly route: Route | undefined
  /** Where it goes; what an open transaction is compared with. */
  readonly place: Place
  readonly freedom: Freedom
  /** Where it would go if it were routed, and who is told when that is another place than its transaction's. */
  readonly shadow?: Pick<Task, 'place' | 'freedom'> & { crossing(pinned: Place): void }
}
