import { blocks } from './blocks.ts'
import { directories } from './directory.ts'
import { fanOuts } from './fan-out.ts'
import { frozenShard } from './frozen-shard.ts'
import { ids } from './ids.ts'
import { kyselyRouting } from './kysely-routing.ts'
import { networkPoint } from './network-point.ts'
import { placing } from './placing.ts'
import { registry } from './registry.ts'
import { routing } from './routing.ts'
import { compare } from './side-by-side.ts'
import { sqlitePoint } from './sqlite-point.ts'

const suites = {
  ids,
  blocks,
  routing,
  'kysely-routing': kyselyRouting,
  'sqlite-point': sqlitePoint,
  'network-point': networkPoint,
  'fan-out': fanOuts,
  directory: directories,
  placing,
  registry,
  'frozen-shard': frozenShard,
}
const wanted = process.argv.slice(2)

for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const comparison of await suite()) await compare(comparison)
}
