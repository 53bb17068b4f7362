import type { Database } from '../databases.ts'
import type { Features } from './random-statement.ts'

const all = ['union', 'unionAll', 'intersect', 'except']
/** What random statements may use on each engine. */
export const features: Record<Database['dialect'], Features> = {
  sqlite: {
    joins: ['rightJoin', 'fullJoin'],
    setOperations: all,
    returning: true,
    onConflict: true,
    updateFrom: true,
  },
  postgres: {
    joins: ['rightJoin', 'fullJoin'],
    setOperations: all,
    returning: true,
    onConflict: true,
    updateFrom: true,
  },
  mysql: { joins: ['rightJoin'], setOperations: all, returning: false, onConflict: false, updateFrom: false },
}
