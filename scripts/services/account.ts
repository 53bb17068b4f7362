import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Whose rights a server runs with. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The account for servers: `nobody` when we are root, as they refuse to run as root; else null, we ourselves. */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m)
  if (!line) throw new Error('there is no account named nobody to run servers under')
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

/** Makes the private folder that holds everything, where the server account can reach it. */
export function makePrivateFolder(account: Account | null): string {
  const base = account && !isReachable(tmpdir()) ? '/tmp' : tmpdir()
  const folder = mkdtempSync(join(base, 'shard-services-'))
  if (account) chmodSync(folder, 0o711)
  return folder
}

/** Makes a folder in `parent` that belongs to the server account alone. */
export function makeOwnFolder(parent: string, name: string, account: Account | null): string {
  const folder = join(parent, name)
  mkdirSync(folder, { mode: 0o700 })
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

/** The programs in `folder`, or a copy in `parent` when the server account cannot get at them (below /root). */
export function reachableCopy(folder: string, parent: string, account: Account | null): string {
  if (!account || isReachable(folder)) return folder
  const copy = join(parent, basename(folder))
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function isReachable(folder: string): boolean {
  const open = (statSync(folder).mode & 0o001) !== 0
  return open && (folder === dirname(folder) || isReachable(dirname(folder)))
}
