import {
  type AndNode,
  type BinaryOperationNode,
  is,
  type OperationNode,
  type OrNode,
  ReferenceNode,
} from '../tree.ts'
import { isContained, operatorOf } from './contained.ts'
import { columnName, tableName } from './names.ts'
import type { KeySource, Proof, Term } from './proof.ts'
import { bare } from './raw-text.ts'
import type { Scope } from './scope.ts'

/** What a condition says of key columns whenever it is true. */
export interface Facts {
  /** Columns that then have one of these values. */
  readonly pins: ReadonlyMap<Term, readonly KeySource[]>
  /** Columns that then have the same value. */
  readonly equal: readonly (readonly [Term, Term])[]
}

/** A condition that says nothing. */
const nothing: Facts = { pins: new Map(), equal: [] }

/** Where each value of a statement is among its parameters; a list's is the place of its first. */
export type ParameterPlaces = ReadonlyMap<OperationNode, number>

/** Reads conditions in one scope. */
export class Conditions {
  readonly #scope: Scope
  readonly #places: ParameterPlaces
  readonly #proof: Proof

  constructor(scope: Scope, places: ParameterPlaces, proof: Proof) {
    this.#scope = scope
    this.#places = places
    this.#proof = proof
  }

  /** What is true in each row that passes the condition. */
  read(node: OperationNode): Facts {
    if (is<OrNode>(node, 'OrNode')) return this.#either(armsOf(node))
    return isContained(node) ? this.#facts(node) : nothing
  }

  #facts(node: OperationNode): Facts {
    if (is<AndNode>(node, 'AndNode')) return both(this.#facts(node.left), this.#facts(node.right))
    if (node.kind === 'ParensNode') return this.read((node as OperationNode & { node: OperationNode }).node)
    if (is<BinaryOperationNode>(node, 'BinaryOperationNode')) return this.#comparison(node)
    this.#remarkBelow(node)
    return nothing
  }

  /** What each arm says. A column that one arm leaves free is free. */
  #either(arms: readonly OperationNode[]): Facts {
    const pins = arms.map((arm) => spread(this.read(arm)))
    const [first = new Map<Term, readonly KeySource[]>(), ...others] = pins
    const shared = [...first].filter(([term]) => others.every((arm) => arm.has(term)))
    for (const term of pins.flatMap((arm) => [...arm.keys()])) {
      this.#proof.remark(term, 'an OR pins it in some of its arms only')
    }
    const sources = (term: Term): KeySource[] => pins.flatMap((arm) => arm.get(term) ?? [])
    return { pins: new Map(shared.map(([term]) => [term, sources(term)])), equal: [] }
  }

  #comparison({ leftOperand, operator, rightOperand }: BinaryOperationNode): Facts {
    const name = operatorOf(operator)
    const [left, right] = [bare(leftOperand), bare(rightOperand)]
    if (name === '=' || name === '==') return this.#equality(left, right)
    const term = this.termOf(left)
    if (term === null) return nothing
    const sources = name === 'in' ? this.#sourcesOf(right) : null
    if (sources !== null && sources.length > 0) return { pins: new Map([[term, sources]]), equal: [] }
    this.#proof.remark(term, sources === null ? `${name} does not pin it` : 'it is in an empty list')
    return nothing
  }

  #equality(left: OperationNode, right: OperationNode): Facts {
    const [a, b] = [this.termOf(left), this.termOf(right)]
    if (a !== null && b !== null) return { pins: new Map(), equal: [[a, b]] }
    const [term, value] = a === null ? [b, left] : [a, right]
    if (term === null) return nothing
    const source = this.sourceOf(value)
    if (source !== null) return { pins: new Map([[term, [source]]]), equal: [] }
    this.#proof.remark(term, 'it equals something that is neither a value nor a key')
    return nothing
  }

  /** The key column that a node refers to. */
  termOf(node: OperationNode): Term | null {
    const target = bare(node)
    if (!ReferenceNode.is(target)) {
      return target.kind === 'ColumnNode' ? this.#scope.resolve(null, columnName(target) ?? '') : null
    }
    const column = columnName(target.column)
    if (column === null) return null
    if (target.table === undefined) return this.#scope.resolve(null, column)
    const table = tableName(target.table)
    return table === null ? null : this.#scope.resolve(table, column)
  }

  /** Where a value is; null if the node is none. */
  sourceOf(node: OperationNode): KeySource | null {
    const target = bare(node)
    if (!is<OperationNode & { value: unknown; immediate?: boolean }>(target, 'ValueNode')) return null
    const { value, immediate } = target as OperationNode & { value: unknown; immediate?: boolean }
    if (immediate === true) return { literal: value }
    const parameter = this.#places.get(target)
    return parameter === undefined ? null : { parameter }
  }

  #sourcesOf(node: OperationNode): readonly KeySource[] | null {
    const { values } = node as OperationNode & { values?: readonly unknown[] }
    if (node.kind === 'PrimitiveValueListNode') {
      const first = this.#places.get(node)
      return first === undefined ? null : (values ?? []).map((_, i) => ({ parameter: first + i }))
    }
    // In so many words, all of these are one list.
    if (node.kind === 'ParensNode')
      return this.#sourcesOfOne((node as OperationNode & { node: OperationNode }).node)
    if (node.kind !== 'ValueListNode' && node.kind !== 'TupleNode') return null
    const sources = ((values ?? []) as readonly OperationNode[]).map((value) => this.sourceOf(value))
    return sources.includes(null) ? null : (sources as KeySource[])
  }

  #sourcesOfOne(node: OperationNode): readonly KeySource[] | null {
    const source = this.sourceOf(node)
    return source === null ? null : [source]
  }

  /** A comparison inside of a NOT or a CASE looks as if it pinned a column. */
  #remarkBelow(node: OperationNode): void {
    if (node.kind !== 'UnaryOperationNode' && node.kind !== 'CaseNode' && node.kind !== 'FunctionNode') return
    for (const term of this.#scope.sources.flatMap(({ columns }) => [...columns.named.values()])) {
      this.#proof.remark(term, 'NOT, CASE and functions do not pin it')
    }
  }
}

function armsOf(node: OperationNode): OperationNode[] {
  return is<OrNode>(node, 'OrNode') ? [...armsOf(node.left), ...armsOf(node.right)] : [node]
}

function both(a: Facts, b: Facts): Facts {
  const pins = new Map(a.pins)
  for (const [term, sources] of b.pins) pins.set(term, [...(pins.get(term) ?? []), ...sources])
  return { pins, equal: [...a.equal, ...b.equal] }
}

/** The pins of a condition, passed on along its own equalities. */
export function spread({ pins, equal }: Facts): Map<Term, readonly KeySource[]> {
  const all = new Map(pins)
  for (let changed = true; changed; ) {
    changed = false
    for (const [a, b] of [...equal, ...equal.map(([x, y]) => [y, x] as const)]) {
      const sources = all.get(a)
      if (sources === undefined || all.has(b) || a.keyType !== b.keyType) continue
      all.set(b, sources)
      changed = true
    }
  }
  return all
}
