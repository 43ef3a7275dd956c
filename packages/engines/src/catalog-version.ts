import { findFormat } from '@lathe/formats'
import type { Operation } from '@lathe/operations'
import { catalogNames } from './generated/catalog-names.ts'

/** The version of this release's catalog. It grows when an operation, an option or a target is added. */
export const catalogVersion = catalogNames.length

const sinceVersion = new Map(catalogNames.flatMap((names, i) => names.map((name) => [name, i + 1] as const)))

/** The catalog's names for options and targets. An operation is listed under its own name. */
export const nameOf = {
  option: (operation: string, option: string) => `${operation}.${option}`,
  target: (operation: string, ext: string) => `${operation} to ${ext}`,
}

/** The first version whose workers know all that a task asks for. Unknown names are refused before, or mean nothing. */
export function versionFor(operation: Operation, payload: Readonly<Record<string, unknown>>): number {
  const { output_format: to, options } = payload
  const given = typeof options === 'object' && options !== null ? Object.keys(options) : []
  const target = typeof to === 'string' ? findFormat(to)?.ext : undefined
  const names = [
    operation,
    ...given.map((option) => nameOf.option(operation, option)),
    ...(target ? [nameOf.target(operation, target)] : []),
  ]
  return Math.max(1, ...names.map((name) => sinceVersion.get(name) ?? 1))
}
