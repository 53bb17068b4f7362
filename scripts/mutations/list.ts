import type { Mutation } from './mutation.ts'

const conformance = (file: string, pattern: string): readonly string[] => [
  '--project',
  'conformance',
  `test/${file}.test.ts`,
  '-t',
  pattern,
]
const core = (file: string): readonly string[] => ['--project', 'core', `test/${file}.test.ts`]

/** Faults that were met in the field, or that a hurried change could make. */
export const mutations: readonly Mutation[] = [
  {
    name: 'SQLite reads integers as numbers',
    file: 'packages/core/src/sqlite/prepared.ts',
    find: 'statement.safeIntegers(true)',
    replace: 'statement.safeIntegers(false)',
    tests: conformance('executor', '^sqlite integers'),
  },
  {
    name: 'PostgreSQL leaves int8 as the driver gives it',
    file: 'packages/core/src/postgres/rows.ts',
    find: 'return type === INT8 ||',
    replace: 'return type === -1 ||',
    tests: conformance('executor', '^postgres integers'),
  },
  {
    name: 'MySQL sends a bigint as text',
    file: 'packages/core/src/mysql/prepared.ts',
    find: 'const BIGINT_HINT = { columnType: 8, flags: 0 }',
    replace: 'const BIGINT_HINT = { columnType: 253, flags: 0 }',
    tests: conformance('executor', '^mariadb integers'),
  },
  {
    name: 'a duplicate of SQLite is left untranslated',
    file: 'packages/core/src/sqlite/errors.ts',
    find: 'SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)',
    replace: 'SQLITE_CONSTRAINT_(UNIQUE|ROWID)',
    tests: conformance('executor', '^sqlite errors'),
  },
  {
    name: 'a duplicate of PostgreSQL is left untranslated',
    file: 'packages/core/src/postgres/errors.ts',
    find: "'23505':",
    replace: "'23599':",
    tests: conformance('executor', '^postgres errors'),
  },
  {
    name: 'a duplicate of MySQL is left untranslated',
    file: 'packages/core/src/mysql/errors.ts',
    find: '[1062, 1169, 1586]',
    replace: '[1169, 1586]',
    tests: conformance('executor', '^mariadb errors'),
  },
  {
    name: 'SQLite begins deferred',
    file: 'packages/core/src/sqlite/executor.ts',
    find: "control('begin immediate')",
    replace: "control('begin')",
    tests: ['--project', 'conformance', 'test/sqlite-processes.test.ts', 'test/sqlite-busy.test.ts'],
  },
  {
    name: 'the outer executor may be used inside its transaction',
    file: 'packages/core/src/scope.ts',
    find: 'if (scope.owner === owner && !scope.ended)',
    replace: 'if (scope.owner === scope && !scope.ended)',
    tests: conformance('executor', '^postgres transactions'),
  },
  {
    name: 'a transaction may reach another shard',
    file: 'packages/core/src/sharded-executor.ts',
    find: 'if (asked !== place)',
    replace: 'if (asked === null)',
    tests: core('sharded-executor'),
  },
  {
    name: 'text is merged by its UTF-16 units',
    file: 'packages/core/src/fan-out/compare.ts',
    find: 'return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1',
    replace: 'return x - y',
    tests: conformance('fan-out-differential', '^five shards of sqlite'),
  },
  {
    name: 'a page begins with the row that the last one ended with',
    file: 'packages/core/src/fan-out/statement.ts',
    find: "term.direction === 'asc' ? '>' : '<'",
    replace: "term.direction === 'asc' ? '>=' : '<='",
    tests: conformance('fan-out-differential', '^five shards of sqlite pages'),
  },
  {
    name: 'PostgreSQL orders text by its own collation',
    file: 'packages/core/src/fan-out/spelling.ts',
    find: 'collate "C"`',
    replace: 'collate "en-x-icu"`',
    tests: conformance('fan-out-differential', '^five shards of postgres'),
  },
  {
    name: 'the registry moves a shard whatever its status',
    file: 'packages/registry/src/shards-sql.ts',
    find: ".where('status', '=', from)",
    replace: '',
    tests: conformance('registry', '^sqlite'),
  },
  {
    name: 'the registry ignores the version that was read',
    file: 'packages/registry/src/shards-sql.ts',
    find: "query = query.where('version', '=', expectedVersion)",
    replace: 'query = query.where((eb) => eb.lit(true))',
    tests: conformance('registry', '^sqlite'),
  },
  {
    name: 'two processes climb the schema ladder of PostgreSQL at once',
    file: 'packages/sql/src/schema-ladder.ts',
    find: 'if (ddl.lock !== null) {',
    replace: 'if (ddl.lock === undefined) {',
    tests: ['--project', 'sql', 'test/schema-ladder.test.ts'],
  },
  {
    name: 'the fence is checked without a lock',
    file: 'packages/sql/src/postgres.ts',
    find: 'lockForShare: sql`for share`',
    replace: 'lockForShare: sql``',
    tests: conformance('fence', '^postgres'),
  },
  {
    name: 'a pool that counts changed rows is accepted',
    file: 'packages/core/src/mysql/connections.ts',
    find: '(clientFlags & FOUND_ROWS) === 0',
    replace: '(clientFlags & FOUND_ROWS) === -1',
    tests: core('mysql/connections'),
  },
]
