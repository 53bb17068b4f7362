import type { ShardRegistry } from '@shard/registry'

/** A registry in which some methods are others. */
export function registryWith(real: ShardRegistry, others: Partial<ShardRegistry>): ShardRegistry {
  return new Proxy(real, {
    get(target, name: keyof ShardRegistry) {
      const value = others[name] ?? target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
