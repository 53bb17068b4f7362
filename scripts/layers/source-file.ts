import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A file of the workspace, by its path from the root with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** What a file imports or exports from elsewhere. */
export interface Import {
  /** As written: `@shard/core`, `./clock.ts`, `node:fs`. */
  readonly specifier: string
  readonly line: number
  /** The names that stay after compiling, as exported there; `*` for all, none for types only. */
  readonly values: readonly string[]
}

/** Every import of a file: declarations, re-exports, `import()`, `require()`, and types in `import('x').T`. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = []
  const source = syntaxOf(file)
  const add = (node: ts.Node, specifier: ts.Node | undefined, values: readonly string[]): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    found.push({ specifier: specifier.text, line: lineOf(source, node), values })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, valuesOf(node.importClause))
    if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, reExports(node))
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node, node.argument.literal, [])
    if (ts.isCallExpression(node) && isLoading(node)) add(node, node.arguments[0], ['*'])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The syntax tree of a file; nothing is resolved. */
export function syntaxOf({ path, text }: SourceFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
}

/** The line of a node, from 1. */
export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
}

/** The files under some folders of the workspace, dependencies and builds left out. */
export function filesUnder(root: string, folders: readonly string[], extension: string): SourceFile[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): string[] => {
      const path = `${folder}/${entry.name}`
      if (['node_modules', 'dist', '.turbo'].includes(entry.name)) return []
      if (entry.isDirectory()) return filesUnder(root, [path], extension).map((file) => file.path)
      return entry.name.endsWith(extension) ? [path] : []
    }),
  )
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** An import without a clause runs the module, so it counts as all of it. */
function valuesOf(clause: ts.ImportClause | undefined): string[] {
  if (!clause) return ['*']
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return []
  const { name, namedBindings } = clause
  const named = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : []
  return [
    ...(name ? ['default'] : []),
    ...(namedBindings && ts.isNamespaceImport(namedBindings) ? ['*'] : []),
    ...named.filter(({ isTypeOnly }) => !isTypeOnly).map((one) => (one.propertyName ?? one.name).text),
  ]
}

function reExports({ isTypeOnly, exportClause }: ts.ExportDeclaration): string[] {
  if (isTypeOnly) return []
  if (!exportClause || !ts.isNamedExports(exportClause)) return ['*']
  return exportClause.elements
    .filter((one) => !one.isTypeOnly)
    .map((one) => (one.propertyName ?? one.name).text)
}

function isLoading({ expression }: ts.CallExpression): boolean {
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true
  return ts.isIdentifier(expression) && expression.text === 'require'
}
