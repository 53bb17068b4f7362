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

/**
 * Blanks, semicolons and comments, then a word that begins or ends a transaction or changes the connection, or a comment that MySQL
 * runs. Each can be read in one way only, so that hostile text costs no more than its length.
 */
const control =
  /^(?:[\s;]|(?:--|#)[^\n]*(?:\n|$)|\/\*(?!M?!)(?:[^*]|\*(?!\/))*\*\/)*(?:(?:begin|start\s+transaction|commit|rollback|abort|end|savepoint|release|prepare\s+transaction|xa|use|lock\s+tables|set\s+(?:session\s+|@@(?:session\.)?)?autocommit)\b|\/\*M?!)/i

/**
 * Spells a caller's statement for one engine. Statements that begin or end a transaction, or turn the
 * connection to another database, are refused: the connection they would run on is not the caller's.
 * @throws InvalidArgumentError
 */
export function callersStatement(source: StatementSource, dialect: DialectName): Statement {
  const statement = statementFor(source, dialect)
  if (control.test(statement.sql)) {
    throw new InvalidArgumentError(
      'a statement may not begin or end a transaction (use transaction()) nor change its connection',
    )
  }
  checkParameters(statement.parameters)
  return statement
}
