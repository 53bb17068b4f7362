import { type Account, makePrivateFolder, serverAccount } from './account.ts'
import { Keeper } from './keeper.ts'
import { PackageInstaller } from './packages.ts'

/** What starting a server needs from the machine. */
export interface Host {
  readonly env: NodeJS.ProcessEnv
  readonly account: Account | null
  /** Private, and removed at the end. */
  readonly folder: string
  readonly keeper: Keeper
  readonly installer: PackageInstaller
  say(line: string): void
}

/** Opens the private folder and its watchdog. */
export function openHost(env: NodeJS.ProcessEnv, say: (line: string) => void): Host {
  const account = serverAccount()
  const folder = makePrivateFolder(account)
  return { env, account, folder, keeper: new Keeper(folder), installer: new PackageInstaller(), say }
}
