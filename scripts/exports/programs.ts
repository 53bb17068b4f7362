import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quietTools } from '../steps.ts'

/** Runs a program to its end, for at most two minutes; its output, or an error that shows all of it. */
export function runProgram(program: string, args: readonly string[], cwd: string): string {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...quietTools },
    timeout: 120_000,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}: ${error ?? signal ?? status}\n${stdout}\n${stderr}`)
}

/** A folder of its own, for the caller to remove. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'shard-exports-'))
}

/** Packs each package of the workspace as it would be published; the tarballs by the package's name. */
export function packAll(root: string, folder: string, pnpm: string): Map<string, string> {
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder]
  runProgram('npx', ['-y', pnpm, ...args], root)
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  return new Map(tarballs.map((file) => [nameOf(file), join(folder, file)]))
}

/** `shard-s3-alloc-0.1.0.tgz` is `@shard/s3-alloc`. */
function nameOf(tarball: string): string {
  return tarball.replace(/^shard-(.+)-\d+\.\d+\.\d+.*\.tgz$/, '@shard/$1')
}
