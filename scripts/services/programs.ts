import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const systemFolders = [
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/libexec',
]

/** Where programs are: the person's PATH, then the system's folders, as servers are not on every PATH. */
export function programFolders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter), ...systemFolders].filter((folder) => folder !== '')
}

/** The path of an installed program; null if there is none. */
export function findProgram(name: string): string | null {
  return (
    programFolders()
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path)) ?? null
  )
}
