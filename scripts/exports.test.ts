import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consumer } from './exports/consumer.ts'
import { exportedNames, packagesIn } from './exports/packages.ts'
import { packAll, runProgram, temporaryFolder } from './exports/programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  packageManager: string
}
const packages = packagesIn(root)
const doors = packages.flatMap(({ folder, doors }) => doors.map((door) => ({ folder, ...door })))

const packs = temporaryFolder()
const project = temporaryFolder()
let tarballs = new Map<string, string>()
let installed: Error | null = null

/** Names of the values that a module exports once it is loaded, as plain Node sees it. */
function loadedNames(path: string): string[] {
  const load = path.endsWith('.cjs') ? 'require(process.argv[1])' : 'await import(process.argv[1])'
  const script = `console.log(JSON.stringify(Object.keys(${load}).sort()))`
  const type = path.endsWith('.cjs') ? 'commonjs' : 'module'
  return JSON.parse(runProgram(process.execPath, [`--input-type=${type}`, '-e', script, path], root))
}

beforeAll(() => {
  // Nothing is built again if nothing has changed.
  runProgram(bin('turbo'), ['run', 'build', '--filter', './packages/*', '--output-logs=errors-only'], root)
  tarballs = packAll(root, packs, packageManager)
  for (const [name, text] of Object.entries(consumer)) writeFileSync(join(project, name), text)
  installed = install()
}, 300_000)

/** Installs the tarballs, and the peers that they load; a driver is handed in, so no door needs one. */
function install(): Error | null {
  const flags = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--ignore-scripts',
    '--omit=optional',
  ]
  const isDriver = /^(?:better-sqlite3|postgres|mysql2)@/
  const peers = new Set(packages.flatMap((one) => one.peers).filter((peer) => !isDriver.test(peer)))
  try {
    runProgram('npm', ['install', ...flags, ...tarballs.values(), ...peers], project)
    return null
  } catch (error) {
    return error as Error
  }
}

afterAll(() => {
  rmSync(packs, { recursive: true, force: true })
  rmSync(project, { recursive: true, force: true })
})

test('every package has a door, and a tarball', () => {
  expect(packages.length).toBeGreaterThanOrEqual(6)
  expect(packages.filter(({ doors }) => doors.length === 0)).toEqual([])
  expect([...tarballs.keys()].sort()).toEqual(packages.map(({ name }) => name).sort())
})

describe.each(doors)('$specifier', ({ folder, specifier, files }) => {
  test('is there, in the sources and built', () => {
    const missing = Object.values(files).filter((file) => !existsSync(join(folder, file)))
    expect(missing).toEqual([])
  })

  test('loads as ESM and as CommonJS, with the names that its source exports', () => {
    const { values } = exportedNames(join(folder, files.source))
    expect(values.length).toBeGreaterThan(0)
    expect(loadedNames(join(folder, files.esm))).toEqual(values)
    expect(loadedNames(join(folder, files.cjs))).toEqual(values)
  })

  test('has the types that its source exports', () => {
    const { values, types } = exportedNames(join(folder, files.source))
    for (const file of [files.esmTypes, files.cjsTypes]) {
      const built = exportedNames(join(folder, file))
      expect([...built.values, ...built.types].sort()).toEqual([...values, ...types].sort())
    }
  })

  test('exports each of its names once', () => {
    const { values, types } = exportedNames(join(folder, files.source))
    expect(new Set([...values, ...types]).size).toBe(values.length + types.length)
    expect(specifier.startsWith('@shard/')).toBe(true)
  })
})

describe.each(packages)('the tarball of $name', ({ name }) => {
  const tarball = (): string => tarballs.get(name) ?? expect.fail(`${name} was not packed`)

  test('satisfies publint', async () => {
    const bytes = readFileSync(tarball())
    const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const { messages } = await publint({ pack: { tarball: content }, strict: true })
    expect(messages).toEqual([])
  })

  test('has the right types in each module system', () => {
    // Node 10 knows no `exports`, and no supported version resolves as it does. A problem is an exit code.
    runProgram(
      bin('attw'),
      ['--profile', 'node16', '--no-definitely-typed', '--format', 'ascii', tarball()],
      root,
    )
  })

  test('holds the sources and no workspace protocol', () => {
    const manifest = runProgram('tar', ['-xOzf', tarball(), 'package/package.json'], root)
    expect(manifest).not.toMatch(/"(?:workspace|catalog):/)
    const entries = runProgram('tar', ['-tzf', tarball()], root).trim().split('\n')
    expect(entries).toContain('package/dist/index.mjs')
    expect(entries).toContain('package/src/index.ts')
    expect(entries.filter((entry) => /(?:\.test\.ts|node_modules)/.test(entry))).toEqual([])
  })
})

describe('in an empty project', () => {
  const node = (...args: string[]): string => runProgram(process.execPath, args, project)

  test('the tarballs install', () => {
    expect(installed).toBeNull()
  })

  test('every door opens without a driver, and reads no clock', () => {
    expect(existsSync(join(project, 'node_modules/better-sqlite3'))).toBe(false)
    const specifiers = doors.map(({ specifier }) => specifier)
    expect(node('import-only.mjs', JSON.stringify(specifiers))).toMatch(/works/)
  })

  test('the types are right for a consumer of each module system', () => {
    runProgram(bin('tsc'), ['-p', project], project)
  })

  test('an app runs on SQLite, as ESM and as CommonJS', () => {
    const driver = join(root, 'packages/conformance/node_modules/better-sqlite3')
    symlinkSync(realpathSync(driver), join(project, 'node_modules/better-sqlite3'))
    expect(node('esm.mjs')).toMatch(/works/)
    expect(node('cjs.cjs')).toMatch(/works/)
  })
})
