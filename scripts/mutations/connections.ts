import type { Mutation } from './mutation.ts'
import { conformance, unit } from './tests.ts'

/** Faults in the use of connections: cuts, cancels, doomed transactions. */
export const connectionMutations: readonly Mutation[] = [
  {
    name: 'PostgreSQL: a lost reply is taken for not applied',
    file: 'packages/core/src/postgres/query.ts',
    find: "describeFirst ? 'not-applied' : lost",
    replace: "describeFirst ? 'not-applied' : 'not-applied'",
    tests: conformance('executor-cut', '^postgres '),
  },
  {
    name: 'MySQL: a lost reply is taken for not applied',
    file: 'packages/core/src/mysql/executor.ts',
    find: "return await runQuery<Row>(connection, 'unknown', statement, signal)",
    replace: "return await runQuery<Row>(connection, 'not-applied', statement, signal)",
    tests: conformance('executor-cut', '^mariadb'),
  },
  {
    name: 'PostgreSQL: a connection is given on while a cancel is under way',
    file: 'packages/core/src/postgres/query.ts',
    find: 'connection.occupy(cancel(query, answer))',
    replace: 'void cancel(query, answer)',
    tests: conformance('executor-cancel', '^postgres '),
  },
  {
    name: 'MySQL: a connection is given on while a kill is under way',
    file: 'packages/core/src/mysql/query.ts',
    find: 'cancelling.then(settle)',
    replace: 'settle()',
    tests: conformance('executor-cancel', '^mariadb'),
  },
  {
    name: 'MySQL: a transaction goes on after a deadlock',
    file: 'packages/core/src/mysql/session.ts',
    find: "const fatal = ['DEADLOCK', ",
    replace: 'const fatal = [',
    tests: conformance('executor-conflicts', '^mariadb'),
  },
  {
    name: 'PostgreSQL: the answer to a commit is not read',
    file: 'packages/core/src/postgres/session.ts',
    find: "if (command === 'COMMIT') return",
    replace: "if (command !== '') return",
    tests: conformance('executor-conflicts', '^postgres '),
  },
  {
    name: 'PostgreSQL: a lost connection does not tell what runs on it',
    file: 'packages/core/src/postgres/connection.ts',
    find: 'this.#running?.reject(this.#lost)',
    replace: '',
    tests: conformance('executor-cut', '^postgres .*just when it is taken'),
  },
  {
    name: 'a search_path may be set on a shared connection',
    file: 'packages/core/src/statement.ts',
    find: '|reset|discard|set\\s+(?!local\\b|transaction\\b|constraints\\b))',
    replace: ')',
    tests: unit('core', 'statement'),
  },
  {
    name: 'DDL is let into a savepoint of MySQL',
    file: 'packages/core/src/transaction-executor.ts',
    find: 'if (this.#depth > 1)',
    replace: 'if (this.#depth > 99)',
    tests: conformance('schema', '^mariadb'),
  },
  {
    name: 'PostgreSQL: what is sent is left to the next turn of the event loop',
    file: 'packages/core/src/postgres/connection.ts',
    find: 'atOnce(() => this.#inside?.execute(query))',
    replace: 'this.#inside?.execute(query)',
    tests: conformance('executor-cut', '^postgres .*just when it is taken'),
  },
  {
    name: 'PostgreSQL: a stream whose connection broke between two pages is at its end',
    file: 'packages/core/src/postgres/pages.ts',
    find: 'if (this.#failure) throw this.#failure.error',
    replace: '',
    tests: conformance('executor-cut', '^postgres .*just when a stream goes on'),
  },
  {
    name: 'MySQL: a stream is not told that its connection broke',
    file: 'packages/core/src/mysql/row-stream.ts',
    find: 'this.#rows?.destroy(error)',
    replace: '',
    tests: conformance('executor-cut', '^mariadb .*just when a stream goes on'),
  },
]
