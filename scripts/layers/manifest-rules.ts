import type { Layers } from './import-rules.ts'
import type { SourceFile } from './source-file.ts'

interface Manifest {
  readonly name?: string
  readonly [field: string]: unknown
}

const shipped = ['dependencies', 'peerDependencies', 'optionalDependencies']

/** Packages that depend on conformance, even for development: the task runner refuses the cycle. */
export function dependsOnConformance(manifests: readonly SourceFile[]): string[] {
  return manifests
    .filter((file) => dependencies(file, [...shipped, 'devDependencies']).includes('@shard/conformance'))
    .filter(({ path }) => !/^(?:apps\/|packages\/cli\/)/.test(path))
    .map(({ path }) => `${path}: depends on conformance`)
}

/** Dependencies that a package ships with and that its layer does not allow; optional peers are types only. */
export function dependsOutsideLayer(manifests: readonly SourceFile[], layers: Layers): string[] {
  return manifests.flatMap((file) => {
    const layer = layers[/^packages\/([^/]+)\/package\.json$/.exec(file.path)?.[1] ?? '']
    if (!layer) return []
    const allowed = new Set(layer.map((name) => name.split('/*')[0]))
    const optional = Object.keys((manifestOf(file).peerDependenciesMeta ?? {}) as object)
    return dependencies(file, shipped)
      .map((name) => name.replace(/^@shard\//, ''))
      .filter((name) => !allowed.has(name) && !optional.includes(name))
      .map((name) => `${file.path}: may not depend on ${name}`)
  })
}

/** Lines that tie an install to one registry. */
export function registryHosts({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, i) => {
    const tied = /:\/\/|\btarball:|^\s*(?:@[\w-]+:)?registry\s*[:=]/.test(line)
    return tied ? [`${path}:${i + 1}: ${line.trim()}`] : []
  })
}

function manifestOf({ text }: SourceFile): Manifest {
  return JSON.parse(text) as Manifest
}

function dependencies(file: SourceFile, fields: readonly string[]): string[] {
  const manifest = manifestOf(file)
  return fields.flatMap((field) => Object.keys((manifest[field] ?? {}) as object))
}
