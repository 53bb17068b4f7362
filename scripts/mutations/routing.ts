import type { Mutation } from './mutation.ts'
import { conformance, unit } from './tests.ts'

const statements = unit('kysely', 'statements')
const randomStatements = conformance('kysely-differential', '^random statements on sqlite')

/** Faults of the rule by which statements find their shard. */
export const routingMutations: readonly Mutation[] = [
  {
    name: 'ON confines the side that a left join keeps',
    file: 'packages/kysely/src/routing/sources.ts',
    find: '  LeftJoin: { confined: left,',
    replace: '  LeftJoin: { confined: inner,',
    tests: statements,
  },
  {
    name: 'ON confines the side that a left join keeps, random statements',
    file: 'packages/kysely/src/routing/sources.ts',
    find: '  LeftJoin: { confined: left,',
    replace: '  LeftJoin: { confined: inner,',
    tests: randomStatements,
  },
  {
    name: 'an OR pins what one of its arms pins',
    file: 'packages/kysely/src/routing/predicate.ts',
    find: 'others.every((arm) => arm.has(term))',
    replace: 'others.length > 0',
    tests: statements,
  },
  {
    name: 'an OR pins what one of its arms pins, random statements',
    file: 'packages/kysely/src/routing/predicate.ts',
    find: 'others.every((arm) => arm.has(term))',
    replace: 'others.length > 0',
    tests: randomStatements,
  },
  {
    name: 'raw fragments are trusted',
    file: 'packages/kysely/src/routing/expressions.ts',
    find: 'if (flaw !== null) walk.proof.refuse',
    replace: 'if (flaw === undefined) walk.proof.refuse',
    tests: statements,
  },
  {
    name: 'raw fragments are trusted, random statements',
    file: 'packages/kysely/src/routing/expressions.ts',
    find: 'if (flaw !== null) walk.proof.refuse',
    replace: 'if (flaw === undefined) walk.proof.refuse',
    tests: randomStatements,
  },
  {
    name: 'a filter on a query with a limit is taken for one inside of it',
    file: 'packages/kysely/src/routing/select.ts',
    find: 'if (cutsOff || distinctOn',
    replace: 'if (distinctOn',
    tests: statements,
  },
  {
    name: 'a pin passes from an inner query outward',
    file: 'packages/kysely/src/routing/sources.ts',
    find: 'if (confines.has(b)) proof.pass(a, b)',
    replace: 'proof.pass(a, b)',
    tests: statements,
  },
  {
    name: 'a recursion is confined because its first query is',
    file: 'packages/kysely/src/routing/proof.ts',
    find: 'if (wrong.length === 0) return reached',
    replace: 'if (wrong.length >= 0) return reached',
    tests: statements,
  },
  {
    name: 'an unqualified name means any of two tables',
    file: 'packages/kysely/src/routing/scope.ts',
    find: 'return only && others.length === 0',
    replace: 'return only && others.length >= 0',
    tests: statements,
  },
  {
    name: 'the shard key of a row may be changed',
    file: 'packages/kysely/src/routing/target.ts',
    find: "if (rule.kind === 'sharded' && name?",
    replace: "if (rule.kind !== 'sharded' && name?",
    tests: statements,
  },
  {
    name: 'a plan keeps the shard of its first values',
    file: 'packages/kysely/src/routing/router.ts',
    find: 'const value = isLiteral ? source.literal : given[source.parameter]',
    replace: 'const value = isLiteral ? source.literal : 5n',
    tests: statements,
  },
]
