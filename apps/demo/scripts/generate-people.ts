/** Writes apps/demo/people.csv, the sample import: `pnpm --filter @shard/demo people`. */
import { writeFileSync } from 'node:fs'
import { peopleCsv, sample } from './people.ts'

writeFileSync(new URL('../people.csv', import.meta.url), peopleCsv(sample.seed, sample.rows))
