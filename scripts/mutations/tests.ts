/** The arguments that make vitest run a file of `packages/conformance/test`, and of it what has such a name. */
export function conformance(file: string, pattern: string): readonly string[] {
  return ['--project', 'conformance', `test/${file}.test.ts`, '-t', pattern]
}

/** The same for whole files of a package's tests. */
export function unit(project: string, ...files: readonly string[]): readonly string[] {
  return ['--project', project, ...files.map((file) => `test/${file}.test.ts`)]
}
