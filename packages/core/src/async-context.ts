/** Carries a value along the asynchronous calls that a piece of work makes. */
export interface AsyncContext<T> {
  run<R>(value: T, work: () => R): R
  get(): T | undefined
}

interface Storage<T> {
  run<R>(value: T, work: () => R): R
  getStore(): T | undefined
}

/** How Node, and runtimes like it, give out built-in modules without an import. */
interface Runtime {
  process?: {
    getBuiltinModule?(id: string): { AsyncLocalStorage: new () => Storage<unknown> } | undefined
  }
}

/** A context of Node's `AsyncLocalStorage`; null in a runtime that has none. */
export function asyncContext<T>(): AsyncContext<T> | null {
  const hooks = (globalThis as Runtime).process?.getBuiltinModule?.('node:async_hooks')
  if (!hooks) return null
  const storage = new hooks.AsyncLocalStorage() as Storage<T>
  return { run: (value, work) => storage.run(value, work), get: () => storage.getStore() }
}
