import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { onTestFinished } from 'vitest'

/** How a run of the app ended. */
export interface Ended {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const bundle = `main-${process.pid}.mjs`

/** From source, as people run it. */
export const fromSource: readonly string[] = [
  '--conditions=@shard/source',
  '--import',
  'tsx',
  join(root, 'src/main.ts'),
]

/** The same code in one file, which `bundleDemo` makes: it starts six times as fast. */
const fromBundle: readonly string[] = [join(root, 'dist', bundle)]

/** For `beforeAll`: bundles the app for the tests of one file; gives what takes it away again. */
export async function bundleDemo(): Promise<() => void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: {
      noExternal: true,
      external: ['better-sqlite3', 'mysql2', 'postgres'],
      resolve: { conditions: ['@shard/source'] },
    },
    build: {
      ssr: 'src/main.ts',
      outDir: 'dist',
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: bundle } },
    },
  })
  return () => rmSync(join(root, 'dist', bundle))
}

/** Runs work after a test; one that runs beside others must be given its own. */
export type AfterTest = (work: () => void | Promise<void>) => void

/** A directory that is gone after the test. */
export function temporaryDirectory(afterTest: AfterTest = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'shard-demo-'))
  afterTest(() => rmSync(directory, { recursive: true }))
  return directory
}

/** Runs the app to its end. */
export function runDemo(...args: string[]): Promise<Ended> {
  return ended(startDemo(...args))
}

/** Starts the app in a process of its own. */
export function startDemo(...args: string[]): ChildProcessWithoutNullStreams {
  return startNode(...fromBundle, ...args)
}

/** Starts Node in the app's folder. */
export function startNode(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, args, { cwd: root })
}

/** Waits for the end of a process. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...end) => resolve(end))
  })
  return { exitCode, signal, stdout, stderr }
}
