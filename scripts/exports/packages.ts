import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { syntaxOf } from '../layers/source-file.ts'

/** One door of a package: what `exports` says of it. */
export interface Door {
  /** As it is imported: `@shard/core/sqlite`. */
  readonly specifier: string
  /** Files by what they are for, from the package's folder. */
  readonly files: Readonly<Record<'source' | 'esm' | 'esmTypes' | 'cjs' | 'cjsTypes', string>>
}

/** A package that is published. */
export interface Package {
  readonly name: string
  readonly folder: string
  readonly doors: readonly Door[]
  /** What its users install beside it, optional or not, at the version that the workspace has: `kysely@0.28.19`. */
  readonly peers: readonly string[]
}

interface Conditions {
  readonly '@shard/source': string
  readonly import: { readonly types: string; readonly default: string }
  readonly require: { readonly types: string; readonly default: string }
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, Conditions | string>>
}

/** The packages of the workspace that are published. */
export function packagesIn(root: string): Package[] {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private)
    .map(({ folder, manifest }) => ({
      name: manifest.name,
      folder,
      doors: doorsOf(manifest),
      peers: peersOf(folder, manifest),
    }))
}

/** The names that a module exports, types included, as far as they stand in its text; sorted. */
export function exportedNames(path: string): { values: string[]; types: string[] } {
  const names = { values: [] as string[], types: [] as string[] }
  for (const statement of syntaxOf({ path, text: readFileSync(path, 'utf8') }).statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, isTypeOnly } = statement
      if (!exportClause || !ts.isNamedExports(exportClause)) continue
      for (const one of exportClause.elements)
        names[isTypeOnly || one.isTypeOnly ? 'types' : 'values'].push(one.name.text)
    } else if (isExported(statement))
      names[isType(statement) ? 'types' : 'values'].push(...declared(statement))
  }
  return { values: names.values.sort(), types: names.types.sort() }
}

function doorsOf({ name, exports }: Manifest): Door[] {
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const files = {
      source: target['@shard/source'],
      esm: target.import.default,
      esmTypes: target.import.types,
      cjs: target.require.default,
      cjsTypes: target.require.types,
    }
    return [{ specifier: name + path.slice(1), files }]
  })
}

function peersOf(folder: string, { peerDependencies = {} }: Manifest): string[] {
  return Object.keys(peerDependencies)
    .filter((name) => !name.startsWith('@shard/'))
    .map((name) => `${name}@${readManifest(join(folder, 'node_modules', name)).version}`)
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function isType(statement: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
}

function declared(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name ? [name.getText()] : []
}
