import { type FieldError, Problem } from '@lathe/domain'

/** The errors of a refused request; empty if it is accepted. Rethrows anything but a refusal of parameters. */
export function faultsOf(parse: () => unknown): readonly FieldError[] {
  try {
    parse()
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_request') return error.errors
    throw error
  }
  return []
}

/** The paths of the errors. */
export function pathsOf(parse: () => unknown): string[] {
  return faultsOf(parse).map((fault) => fault.path)
}

/** The message of the only error. */
export function onlyText(parse: () => unknown): string {
  const [first, ...others] = faultsOf(parse)
  if (first === undefined || others.length > 0)
    throw new Error(`expected one fault, found ${others.length + (first ? 1 : 0)}`)
  return `${first.path}: ${first.msg}`
}
