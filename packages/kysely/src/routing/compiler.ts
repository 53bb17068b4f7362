import {
  type CompiledQuery,
  copyTree,
  type DefaultQueryCompiler,
  type OperationNode,
  type PrimitiveValueListNode,
  type QueryCompiler,
  type QueryId,
  type RawNode,
  type RootOperationNode,
  type ValueNode,
} from '../tree.ts'
import type { ParameterPlaces } from './predicate.ts'
import { positionOf } from './raw-position.ts'
import { fragmentOf, isJsonHelper, readText } from './raw-text.ts'

/** Compiles what is routed: raw operands in parentheses, and what routing has to know of the text. */
export interface RoutingCompiler extends QueryCompiler {
  /**
   * The shape of the statement that was compiled last: its text, literals included, and which parts of it were
   * written as fragments. Trees of one shape mean the same, and are routed alike.
   */
  readonly shape: string
  /** Where the values of a tree are among the parameters; of a copy of it if a value stands in two places. */
  locate(node: RootOperationNode, queryId: QueryId): { root: OperationNode; places: ParameterPlaces }
}

/** Where the values of a tree are among its parameters. */
class Places {
  #places: Map<OperationNode, number> | null = null
  #isShared = false

  /** What is put while `compile` runs; null if one node was put twice. */
  record(compile: () => void): ParameterPlaces | null {
    const places = new Map<OperationNode, number>()
    this.#places = places
    this.#isShared = false
    compile()
    this.#places = null
    return this.#isShared ? null : places
  }

  put(node: OperationNode, place: number): void {
    if (this.#places?.has(node)) this.#isShared = true
    this.#places?.set(node, place)
  }
}

/** The compiler of an engine that Kysely brings. */
export type CompilerClass = typeof DefaultQueryCompiler

/** Kysely leaves no other way to see a fragment being written than to be the compiler: hence a subclass. */
export function routingCompiler(Compiler: CompilerClass): RoutingCompiler {
  return new (class extends Compiler implements RoutingCompiler {
    shape = ''
    readonly #places = new Places()

    override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
      this.shape = ''
      const compiled = super.compileQuery(node, queryId)
      this.shape = `${compiled.sql}\0${this.shape}`
      return compiled
    }

    locate(node: RootOperationNode, queryId: QueryId): { root: OperationNode; places: ParameterPlaces } {
      const record = (root: RootOperationNode) => this.#places.record(() => this.compileQuery(root, queryId))
      const places = record(node)
      if (places !== null) return { root: node, places }
      const root = copyTree(node)
      return { root, places: record(root) ?? new Map() }
    }

    protected override visitRaw(node: RawNode): void {
      const isOpen = isOpenOperand(node, this.parentNode)
      const from = this.getSql().length
      if (isOpen) this.append('(')
      super.visitRaw(node)
      if (isOpen) this.append(')')
      this.shape += `${from}${shapeOf(node)}`
    }

    protected override visitValue(node: ValueNode): void {
      if (node.immediate !== true) this.#places.put(node, this.numParameters)
      super.visitValue(node)
    }

    protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
      this.#places.put(node, this.numParameters)
      super.visitPrimitiveValueList(node)
    }
  })()
}

/** What a fragment is made of: a `?` that was written in it is not one that stands for a value. */
function shapeOf({ sqlFragments, parameters }: RawNode): string {
  return `[${sqlFragments.map(({ length }) => length)}|${parameters.map(({ kind }) => kind)}]`
}

/** Would a fragment's meaning change with what stands beside it? */
function isOpenOperand(node: RawNode, parent: OperationNode | undefined): boolean {
  const position = parent === undefined ? null : positionOf(parent.kind, fieldOf(node, parent))
  if (position === null || position === 'enclosed') return false
  const fragment = fragmentOf(node)
  return !isJsonHelper(fragment) && !readText(fragment.text).isAtom
}

function fieldOf(node: OperationNode, parent: OperationNode): string {
  const holds = (value: unknown): boolean => value === node || (Array.isArray(value) && value.includes(node))
  return Object.entries(parent).find(([, value]) => holds(value))?.[0] ?? ''
}
