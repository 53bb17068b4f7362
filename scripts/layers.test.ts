import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { badFiles, badSyntax, limits, longFunctions, medianLines } from './layers/file-rules.ts'
import * as imports from './layers/import-rules.ts'
import { dependsOnConformance, dependsOutsideLayer, registryHosts } from './layers/manifest-rules.ts'
import { filesUnder, type SourceFile } from './layers/source-file.ts'

/**
 * Who may import what. Packages go by their folder: `core` is its main entry, `core/*` its subpaths too.
 * An arrow that is not here is not there: a new one is a decision, and this is where it is taken.
 */
const mayImport: imports.Layers = {
  // Ids, routing, the Executor port, fan-out. No dependency; Node only in the dialects' own files, and the
  // library for retries only in /resilience.
  core: ['node:async_hooks', 'cockatiel'],

  // What features share: a Kysely that only compiles, dialect records, schema ladder, leases, identity.
  sql: ['core', 'kysely'],

  // For apps: a full Kysely over an executor, routing of its queries, and Kysely's drivers as executors.
  kysely: ['core', 'core/adapter', 'sql', 'kysely'],

  // The features. Each is written against `Executor` and knows no driver; one may use another's port and
  // dialect files where the picture has an arrow.
  registry: ['core', 'sql', 'kysely'],
  placer: ['core', 'sql', 'registry/*', 'registry', 'kysely', 'node:fs/promises', 'node:path'],
  directory: ['core', 'sql', 'kysely', 'tr46', 'lru-cache', 'node:crypto'],
  's3-alloc': ['core', 'sql', 'kysely', '@aws-sdk/client-s3'],
  'coordinator-es': ['core', 'sql', 'kysely'],
  migrator: ['core', 'sql', 'registry', 'kysely'],

  // What every adapter must do. Suites see ports only, and bring no test runner.
  conformance: [
    'core',
    'sql',
    'registry',
    'placer',
    'directory',
    's3-alloc',
    'coordinator-es',
    'migrator',
    'kysely',
    'node:assert/strict',
    'node:net',
  ],

  // The command wires everything, as an app does.
  cli: [
    'core/*',
    'sql/*',
    'registry/*',
    'placer/*',
    'directory/*',
    's3-alloc/*',
    'coordinator-es/*',
    'migrator/*',
  ],
}

/** Where a query may be built in `*sql.ts` and dialect files only. */
const features = ['registry', 'placer', 'directory', 's3-alloc', 'coordinator-es', 'migrator']

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') })
const code = filesUnder(root, ['packages', 'apps', 'scripts'], '.ts')
const sources = code.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
const manifests = filesUnder(root, ['packages', 'apps'], 'package.json')

const file = (path: string, text: string): SourceFile => ({ path, text })
const source = (text: string): SourceFile[] => [file('packages/registry/src/shard.ts', text)]

/** Each rule, what it says of the workspace, and code that it must not let pass. */
const rules: Record<string, { problems: () => string[]; caught: Record<string, () => string[]> }> = {
  'each package imports what its layer allows': {
    problems: () => imports.outsideLayer(code, mayImport),
    caught: {
      'a layer above': () => imports.outsideLayer(source("import '@shard/placer'"), mayImport),
      'its types': () => imports.outsideLayer(source("import type { P } from '@shard/placer'"), mayImport),
      'a type in passing': () => imports.outsideLayer(source("let p: import('@shard/placer').P"), mayImport),
      're-exported': () => imports.outsideLayer(source("export { P } from '@shard/placer'"), mayImport),
      'loaded late': () => imports.outsideLayer(source("await import('@shard/placer')"), mayImport),
      'a subpath': () => imports.outsideLayer(source("import { s } from '@shard/core/sqlite'"), mayImport),
      'an unknown package': () =>
        imports.outsideLayer([file('packages/new/src/a.ts', "import 'x'")], mayImport),
      'a Node built-in': () => imports.outsideLayer(source("import { join } from 'node:path'"), mayImport),
    },
  },
  'relative imports stay in their package': {
    problems: () => imports.outsideFolder(code),
    caught: {
      'another package': () => imports.outsideFolder(source("import { a } from '../../core/src/a.ts'")),
    },
  },
  'no package source imports a driver': {
    problems: () => imports.driverImports(code),
    caught: {
      itself: () => imports.driverImports(source("import Database from 'better-sqlite3'")),
      'its types': () => imports.driverImports(source("import type { Pool } from 'mysql2/promise'")),
      required: () => imports.driverImports(source("const postgres = require('postgres')")),
    },
  },
  'tests of packages start nothing and open nothing': {
    problems: () => imports.impureTests(code),
    caught: {
      'a driver': () => imports.impureTests([file('packages/sql/test/a.test.ts', "import 'postgres'")]),
      'a process': () => imports.impureTests([file('packages/sql/test/a.ts', "import 'node:child_process'")]),
    },
  },
  'features build queries in *sql.ts and dialect files only': {
    problems: () => imports.buildersElsewhere(code, features),
    caught: {
      'the builder': () =>
        imports.buildersElsewhere(source("import { applySchema, queryBuilder } from '@shard/sql'"), features),
      'under another name': () =>
        imports.buildersElsewhere(source("import { run as go } from '@shard/sql'"), features),
      'all of it': () => imports.buildersElsewhere(source("import * as sql from '@shard/sql'"), features),
      'Kysely itself': () => imports.buildersElsewhere(source("import { sql } from 'kysely'"), features),
    },
  },
  'no source imports the door of its own package': {
    problems: () => imports.ownBarrel(code),
    caught: {
      'by path': () => imports.ownBarrel(source("import { a } from './index.ts'")),
      'by name': () => imports.ownBarrel(source("import { a } from '@shard/registry'")),
      'a second door': () => imports.ownBarrel([file('packages/core/src/sqlite/index.ts', '')]),
    },
  },
  'the main entry of core needs neither Node nor a dependency': {
    problems: () => imports.notPortable(code, 'packages/core/src/index.ts'),
    caught: {
      'a built-in, two files away': () =>
        imports.notPortable(
          [file('a.ts', "export { b } from './b.ts'"), file('b.ts', "import type { X } from 'node:fs'")],
          'a.ts',
        ),
      'a dependency': () => imports.notPortable([file('a.ts', "import 'kysely'")], 'a.ts'),
      'a global of Node': () => imports.notPortable([file('a.ts', 'export const a = process.env.A')], 'a.ts'),
      'a file that is not there': () => imports.notPortable([], 'a.ts'),
    },
  },
  'files are short, and their names say something': {
    problems: () => badFiles(code),
    caught: {
      'a long file': () => badFiles([file('src/a.ts', 'a\n'.repeat(limits.file + 1))]),
      'a heap': () => badFiles([file('src/string-utils.ts', '')]),
      types: () => badFiles([file('src/types.ts', '')]),
      'a manager': () => badFiles([file('src/shard-manager.test.ts', '')]),
      'not kebab-case': () => badFiles([file('src/shardTable.ts', '')]),
    },
  },
  'no default export, no export *, no question for a dialect': {
    problems: () => badSyntax(sources),
    caught: {
      'a default': () => badSyntax(source('export default 1')),
      'a default function': () => badSyntax(source('export default function a() {}')),
      'a default by name': () => badSyntax(source('const a = 1; export { a as default }')),
      everything: () => badSyntax(source("export * from './a.ts'")),
      'a comparison': () => badSyntax(source("if (executor.dialect === 'sqlite') go()")),
      'its negation': () => badSyntax(source("if ('mysql' != dialect) go()")),
      'a case': () => badSyntax(source("switch (dialect) { case 'postgres': go() }")),
    },
  },
  'functions are short': {
    // A function of a suite is a list of tests.
    problems: () => longFunctions(sources.filter(({ path }) => !path.startsWith('packages/conformance/'))),
    caught: {
      'a long one': () => longFunctions(source(`const a = () => {${'\n'.repeat(limits.body)}}`)),
      'a long method': () => longFunctions(source(`class A { a() {${'\n'.repeat(limits.body)}} }`)),
    },
  },
  'nothing depends on conformance': {
    problems: () => dependsOnConformance(manifests),
    caught: {
      'for development': () =>
        dependsOnConformance([
          file('packages/core/package.json', '{"devDependencies":{"@shard/conformance":"1"}}'),
        ]),
    },
  },
  'each package depends on what its layer allows': {
    problems: () => dependsOutsideLayer(manifests, mayImport),
    caught: {
      'a package above': () =>
        dependsOutsideLayer(
          [file('packages/core/package.json', '{"dependencies":{"@shard/sql":"1"}}')],
          mayImport,
        ),
      'a stranger': () =>
        dependsOutsideLayer(
          [file('packages/sql/package.json', '{"peerDependencies":{"pg":"1"}}')],
          mayImport,
        ),
    },
  },
  'nothing is tied to one registry': {
    problems: () =>
      ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', '.npmrc']
        .filter((path) => existsSync(join(root, path)))
        .flatMap((path) => registryHosts(read(path))),
    caught: {
      'a tarball': () =>
        registryHosts(file('pnpm-lock.yaml', '  resolution: {tarball: https://r.example/a}')),
      'a setting': () => registryHosts(file('.npmrc', 'registry=//r.example/')),
      'a scope': () => registryHosts(file('.npmrc', '@shard:registry=r.example')),
    },
  },
}

describe.each(Object.entries(rules))('%s', (_, { problems, caught }) => {
  test('in this workspace', () => expect(problems()).toEqual([]))
  test.each(Object.entries(caught))('the rule catches: %s', (_, broken) => {
    expect(broken()).toHaveLength(1)
  })
})

test('half of the package sources are short', () => {
  expect(medianLines(sources)).toBeLessThan(limits.median)
  expect(medianLines([1, 80, 90].map((lines) => file('a.ts', 'a\n'.repeat(lines))))).toBe(80)
})

test('what is allowed passes, and the workspace was read', () => {
  const kept = source("import { applySchema } from '@shard/sql'\nimport type { Kysely } from 'kysely'")
  expect(imports.buildersElsewhere(kept, features)).toEqual([])
  expect(imports.outsideLayer(source("import { b } from '@shard/core'"), mayImport)).toEqual([])
  const adapter = [file('packages/placer/src/sqlite.ts', "import { s } from '@shard/registry/sqlite'")]
  expect(imports.outsideLayer(adapter, mayImport)).toEqual([])
  expect(sources.length).toBeGreaterThan(40)
  expect(manifests.length).toBeGreaterThan(6)
})
