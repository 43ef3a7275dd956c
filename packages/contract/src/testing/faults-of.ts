import { type FieldError, Problem } from '@lathe/domain'

/** The faults a refused request is told; empty if it is accepted. Anything but a refusal of parameters is thrown on. */
export function faultsOf(parse: () => unknown): readonly FieldError[] {
  try {
    parse()
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_request') return error.errors
    throw error
  }
  return []
}

/** Where the faults are. */
export function pathsOf(parse: () => unknown): string[] {
  return faultsOf(parse).map((fault) => fault.path)
}

/** What is said of the only fault. */
export function onlyText(parse: () => unknown): string {
  const [first, ...others] = faultsOf(parse)
  if (first === undefined || others.length > 0)
    throw new Error(`expected one fault, found ${others.length + (first ? 1 : 0)}`)
  return `${first.path}: ${first.msg}`
}
