import type { Layout } from '@shard/core'
import type { RegistryCall } from './registry.ts'

/** Where a control database says how ids are split; what is on record is for ever. */
export interface LayoutRecord {
  /**
   * Puts the layout on record, or `layouts.default` if none is given, unless there is one; gives what is on record.
   * Of callers that bring different ones, also in many processes, one wins and the others are told.
   * @throws LayoutMismatchError if another than the given one is on record
   */
  settle(layout: Layout | undefined, call?: RegistryCall): Promise<Layout>
}
