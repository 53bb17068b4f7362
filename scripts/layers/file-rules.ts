import ts from 'typescript'
import { lineOf, type SourceFile, syntaxOf } from './source-file.ts'

/** The longest file, and the length that half of the package sources must stay under, in lines. */
export const limits = { file: 300, median: 70, body: 40 } as const

/** Names that say nothing of what is inside: alone, or as the last word of a longer one. */
const empty = /^(?:common|types?|service)$|(?:^|-)(?:utils?|helpers?|manager)$/

const dialects: ReadonlySet<string> = new Set(['sqlite', 'postgres', 'mysql'])

/** Files that are too long, or whose name is not kebab-case or says nothing. */
export function badFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const stem = (path.split('/').at(-1) as string).replace(/(?:\.(?:test|suite|config))?\.ts$/, '')
    const lines = linesIn(text)
    return [
      ...(lines > limits.file ? [`${path}: ${lines} lines`] : []),
      ...(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(stem) ? [] : [`${path}: not kebab-case`]),
      ...(empty.test(stem) ? [`${path}: the name says nothing`] : []),
    ]
  })
}

/** The median length of some files, in lines. */
export function medianLines(files: readonly SourceFile[]): number {
  const lengths = files.map(({ text }) => linesIn(text)).sort((a, b) => a - b)
  return lengths[Math.floor(lengths.length / 2)] ?? 0
}

/** Functions that are two. */
export function longFunctions(files: readonly SourceFile[]): string[] {
  return eachNode(files, (node, source) => {
    if (!ts.isFunctionLike(node) || linesOf(node, source) <= limits.body) return null
    return `a function of ${linesOf(node, source)} lines`
  })
}

/** Default exports, `export *`, and code that asks for a dialect's name. */
export function badSyntax(files: readonly SourceFile[]): string[] {
  return eachNode(files, (node) => {
    if (isDefaultExport(node)) return 'a default export'
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && !isNamed(node)) return 'export *'
    return asksForDialect(node) ? "asks for a dialect's name" : null
  })
}

function eachNode(
  files: readonly SourceFile[],
  judge: (node: ts.Node, source: ts.SourceFile) => string | null,
): string[] {
  return files.flatMap((file) => {
    const source = syntaxOf(file)
    const problems: string[] = []
    const visit = (node: ts.Node): void => {
      const problem = judge(node, source)
      if (problem) problems.push(`${file.path}:${lineOf(source, node)}: ${problem}`)
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(source, visit)
    return problems
  })
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false
}

function isNamed({ exportClause }: ts.ExportDeclaration): boolean {
  return exportClause !== undefined && ts.isNamedExports(exportClause)
}

/** A comparison or a case with a dialect's name, where a field of the dialect's record belongs. */
function asksForDialect(node: ts.Node): boolean {
  if (ts.isCaseClause(node)) return isDialect(node.expression)
  if (!ts.isBinaryExpression(node)) return false
  const isComparison = /^[!=]==?$/.test(node.operatorToken.getText())
  return isComparison && (isDialect(node.left) || isDialect(node.right))
}

function isDialect(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && dialects.has(node.text)
}

/** From its name to its end: comments above it do not count. */
function linesOf(node: ts.Node, source: ts.SourceFile): number {
  return source.getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(source, node)
}

function linesIn(text: string): number {
  return text.trimEnd().split('\n').length
}
