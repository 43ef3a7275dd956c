import { findFormat } from '@lathe/formats'
import type { Operation, Payload } from '@lathe/operations'
import { catalogNames } from './generated/catalog-names.ts'

/** The version of this release's catalog. It grows when an operation, an option or a target is added. */
export const catalogVersion = catalogNames.length

const sinceVersion = new Map(catalogNames.flatMap((names, i) => names.map((name) => [name, i + 1] as const)))

/** The catalog's names for options and targets. An operation is listed under its own name. */
export const nameOf = {
  option: (operation: string, option: string) => `${operation}.${option}`,
  target: (operation: string, ext: string) => `${operation} to ${ext}`,
  /** A thumbnail of one of several files. */
  preview: 'thumbnail of one file',
}

/** The first version whose workers make previews. */
export const previewVersion = sinceVersion.get(nameOf.preview) ?? 1

/**
 * The first version whose workers know everything that a task uses. Unknown names are refused earlier or have no
 * effect.
 */
export function versionFor(operation: Operation, payload: Payload): number {
  const { output_format: to, options = {} } = payload
  const given = Object.keys(options)
  const target = to && findFormat(to)?.ext
  const names = [
    operation,
    ...given.map((option) => nameOf.option(operation, option)),
    ...(target ? [nameOf.target(operation, target)] : []),
  ]
  return Math.max(1, ...names.map((name) => sinceVersion.get(name) ?? 1))
}
