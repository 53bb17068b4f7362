/** The arguments that make vitest run a file of `packages/conformance/test`, and of it what has such a name. */
export function conformance(file: string, pattern: string): readonly string[] {
  return ['--project', 'conformance', `test/${file}.test.ts`, '-t', pattern]
}

/** The same for a file of a package's own tests. */
export function unit(project: string, file: string): readonly string[] {
  return ['--project', project, `test/${file}.test.ts`]
}
