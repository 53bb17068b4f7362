import { posix } from 'node:path'
import ts from 'typescript'
import { type Import, importsOf, lineOf, type SourceFile, syntaxOf } from './source-file.ts'

/** Who may import what: packages by folder, `core/*` for their subpaths, others by name. */
export type Layers = Readonly<Record<string, readonly string[]>>

/** The drivers that apps open and hand in. */
const drivers = ['better-sqlite3', 'postgres', 'mysql2']

/** What of `@shard/sql` and Kysely makes queries. */
const builders = ['queryBuilder', 'run', 'dialectOf']

/** Files that spell SQL: `sql.ts`, `shards-sql.ts`, and the three dialects. */
const spellsSql = /(?:^|[/-])sql\.ts$|\/(?:sqlite|postgres|mysql)(?:\.ts$|\/)/

/** Imports that the table does not allow, in package sources. */
export function outsideLayer(files: readonly SourceFile[], layers: Layers): string[] {
  return eachImport(files.filter(isPackageSource), (file, { specifier }) => {
    const layer = layers[packageOf(file)]
    if (!layer) return `the layers have no line for ${packageOf(file)}`
    const wanted = specifier.replace(/^@shard\//, '')
    if (isRelative(specifier) || layer.includes(wanted)) return null
    if (layer.includes(`${wanted.split('/')[0]}/*`)) return null
    return `may not import ${specifier}`
  })
}

/** Relative imports that leave their package or app. */
export function outsideFolder(files: readonly SourceFile[]): string[] {
  return eachImport(files, (file, { specifier }) => {
    const stays = target(file, specifier)?.startsWith(`${folderOf(file)}/`) ?? true
    return stays ? null : `reaches out of its folder: ${specifier}`
  })
}

/** Drivers in package sources, types included: the object that the app opened is typed by its shape. */
export function driverImports(files: readonly SourceFile[]): string[] {
  return eachImport(files.filter(isPackageSource), (_, { specifier }) =>
    isDriver(specifier) ? `imports the driver ${specifier}` : null,
  )
}

/** Tests of a package that could do I/O: these belong into conformance. */
export function impureTests(files: readonly SourceFile[]): string[] {
  const isPure = ({ path }: SourceFile): boolean => /^packages\/(?!conformance\/)[^/]+\/test\//.test(path)
  const starts = /^node:(?:child_process|cluster|worker_threads|net|http2?|https|dgram)$/
  return eachImport(files.filter(isPure), (_, { specifier }) =>
    isDriver(specifier) || starts.test(specifier) ? `a pure test imports ${specifier}` : null,
  )
}

/** Queries built elsewhere than where a feature spells its SQL. */
export function buildersElsewhere(files: readonly SourceFile[], features: readonly string[]): string[] {
  const feature = files.filter((file) => isPackageSource(file) && features.includes(packageOf(file)))
  return eachImport(
    feature.filter(({ path }) => !spellsSql.test(path)),
    (_, { specifier, values }) => {
      const isKysely = specifier === 'kysely' && values.length > 0
      const isBuilding =
        specifier === '@shard/sql' && values.some((name) => [...builders, '*'].includes(name))
      return isKysely || isBuilding ? `builds queries with ${specifier}` : null
    },
  )
}

/** Sources that import the door of their own package; and doors inside the house. */
export function ownBarrel(files: readonly SourceFile[]): string[] {
  const sources = files.filter(isPackageSource)
  const inner = sources.filter(({ path }) => /\/src\/.+\/index\.ts$/.test(path))
  const imported = eachImport(sources, (file, { specifier }) => {
    const door = `${folderOf(file)}/src/index.ts`
    const isOwn = target(file, specifier) === door || specifier === `@shard/${packageOf(file)}`
    return isOwn ? `imports its own barrel` : null
  })
  return [...inner.map(({ path }) => `${path}: a second barrel`), ...imported]
}

/** What the file at `path` loads, itself and through others, that an edge runtime does not have. */
export function notPortable(files: readonly SourceFile[], path: string): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const seen = new Set([path])
  const problems: string[] = []
  for (const at of seen) {
    const file = byPath.get(at)
    if (!file) problems.push(`${at}: no such file`)
    else {
      problems.push(
        ...eachImport([file], (_, { specifier }) => (isRelative(specifier) ? null : `needs ${specifier}`)),
      )
      problems.push(...nodeGlobals(file))
      for (const { specifier } of importsOf(file)) {
        const next = target(file, specifier)
        if (next) seen.add(next)
      }
    }
  }
  return problems
}

const nodeOnly = ['process', 'Buffer', 'require', 'setImmediate', '__dirname', '__filename']

function nodeGlobals(file: SourceFile): string[] {
  const source = syntaxOf(file)
  const problems: string[] = []
  const visit = (node: ts.Node): void => {
    // The name of a property, a field or a declaration is not a use.
    const isName = (node.parent as { name?: ts.Node }).name === node
    if (ts.isIdentifier(node) && nodeOnly.includes(node.text) && !isName)
      problems.push(`${file.path}:${lineOf(source, node)}: needs ${node.text}`)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return problems
}

function eachImport(
  files: readonly SourceFile[],
  judge: (file: SourceFile, one: Import) => string | null,
): string[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap((one) => {
      const problem = judge(file, one)
      return problem === null ? [] : [`${file.path}:${one.line}: ${problem}`]
    }),
  )
}

function isPackageSource({ path }: SourceFile): boolean {
  return /^packages\/[^/]+\/src\//.test(path)
}

function isDriver(specifier: string): boolean {
  return drivers.some((driver) => specifier === driver || specifier.startsWith(`${driver}/`))
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

/** `packages/core`, `apps/demo`, `scripts`. */
function folderOf({ path }: SourceFile): string {
  const [first, second] = path.split('/')
  return first === 'scripts' ? first : `${first}/${second}`
}

function packageOf(file: SourceFile): string {
  return folderOf(file).replace(/^packages\//, '')
}

function target({ path }: SourceFile, specifier: string): string | null {
  return isRelative(specifier) ? posix.join(posix.dirname(path), specifier) : null
}
