import { show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { DialectName, Statement, StatementSource } from './executor.ts'
import { checkParameters } from './parameters.ts'

/** Spells a statement for one engine. */
export function statementFor(source: StatementSource, dialect: DialectName): Statement {
  const statement = typeof source === 'function' ? source(dialect) : source
  if (typeof statement?.sql === 'string' && Array.isArray(statement.parameters)) return statement
  throw new InvalidArgumentError(`a statement is { sql, parameters }, not ${show(statement)}`)
}

// Each blank and comment can be read in one way only, so that hostile text costs no more than its length.
const blanks = String.raw`^(?:[\s;]|(?:--|#)[^\n]*(?:\n|$)|\/\*(?!M?!)(?:[^*]|\*(?!\/))*\*\/)*`
const bounds = String.raw`begin|start\s+transaction|commit|rollback|abort|end|savepoint|release`

/** How a statement starts that begins or ends a transaction, changes its connection for whoever comes next, or hides. */
const control: Record<DialectName, RegExp> = {
  sqlite: new RegExp(String.raw`${blanks}(?:${bounds})\b`, 'i'),
  postgres: new RegExp(
    String.raw`${blanks}(?:${bounds}|prepare\s+transaction|reset|discard|set\s+(?!local\b|transaction\b|constraints\b))\b`,
    'i',
  ),
  mysql: new RegExp(
    String.raw`${blanks}(?:(?:${bounds}|xa|use|lock\s+tables|set\s+(?:session\s+|@@(?:session\.)?)?autocommit)\b|\/\*M?!)`,
    'i',
  ),
}

/**
 * Spells a caller's statement for one engine. Statements that begin or end a transaction, or turn the
 * connection to another database or other settings, are refused: the connection they would run on is not the
 * caller's.
 * @throws InvalidArgumentError
 */
export function callersStatement(source: StatementSource, dialect: DialectName): Statement {
  const statement = statementFor(source, dialect)
  if (control[dialect].test(statement.sql)) {
    throw new InvalidArgumentError(
      "a statement may not begin or end a transaction (use transaction()) nor change its connection (use `set local`, or the driver's options)",
    )
  }
  checkParameters(statement.parameters)
  return statement
}
