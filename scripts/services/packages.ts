import { existsSync } from 'node:fs'
import type { Host } from './host.ts'
import { run } from './process.ts'

/** Why packages of the distribution cannot be installed; null if they can. */
export function installBlocker(env: NodeJS.ProcessEnv): string | null {
  if (!existsSync('/usr/bin/apt-get')) return 'this is not Debian or Ubuntu'
  if (env.SHARD_TEST_INSTALL === '0') return 'SHARD_TEST_INSTALL=0 forbids installing it'
  return process.getuid?.() === 0 ? null : 'only root may install it'
}

/**
 * Installs packages of Debian or Ubuntu, one call after the other, as the package database has one lock.
 * None of those that we ask for starts a server by itself: they have no service, or one without a cluster, or
 * (PgBouncer) theirs is left out.
 */
export class PackageInstaller {
  #updated: Promise<void> | null = null
  #queue: Promise<void> = Promise.resolve()

  install(host: Host, packages: readonly string[]): Promise<void> {
    const turn = this.#queue.then(async () => {
      await this.#update(host)
      host.say(`installing ${packages.join(', ')} (apt-get; SHARD_TEST_INSTALL=0 forbids it)`)
      await aptGet(host, ['install', '-y', '--no-install-recommends', ...packages], 900_000)
    })
    this.#queue = turn.catch(() => {})
    return turn
  }

  /** The lists of a bare image are empty. */
  #update(host: Host): Promise<void> {
    this.#updated ??= aptGet(host, ['update'], 180_000)
    return this.#updated
  }
}

/** Never ended half-way: that would leave broken packages behind. */
function aptGet(host: Host, args: readonly string[], timeoutMs: number): Promise<void> {
  const leftOut = ['*/systemd/system/pgbouncer*', '/etc/init.d/pgbouncer'].flatMap((path) => [
    '-o',
    `DPkg::Options::=--path-exclude=${path}`,
  ])
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0', ...leftOut]
  const quiet = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' }
  const command = { group: 'packages', program: 'apt-get', args: [...options, ...args], endSignal: null }
  return run(host, { ...command, account: null, env: { ...process.env, ...quiet } }, timeoutMs)
}
