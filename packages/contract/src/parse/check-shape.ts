import { type FieldError, invalidField } from '@lathe/domain'
import { limits } from '../limits.ts'
import { shorten } from './path.ts'

/**
 * Refuses what no legitimate request contains: nesting beyond the limit, `__proto__`, and text that PostgreSQL cannot
 * store (NUL, lone surrogates). It stops at the first error, because such a body is an attack or comes from a broken
 * client.
 */
export function checkShape(body: unknown): void {
  const fault = findFault(body, 1)
  if (fault) throw invalidField(fault.path.replace(/^\./, '') || 'body', fault.msg)
}

// A body may contain millions of values: the path is built only for a faulty value, on the way back.
function findFault(value: unknown, depth: number): FieldError | undefined {
  if (typeof value === 'string') return findTextFault(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : here('is a number out of range.')
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > limits.bodyNesting) return here(`is nested deeper than ${limits.bodyNesting} levels.`)
  return Array.isArray(value) ? findFaultInArray(value, depth) : findFaultInObject(value, depth)
}

function findFaultInArray(items: readonly unknown[], depth: number): FieldError | undefined {
  for (let index = 0; index < items.length; index++) {
    const fault = findFault(items[index], depth + 1)
    if (fault) return { path: `[${index}]${fault.path}`, msg: fault.msg }
  }
  return undefined
}

function findFaultInObject(fields: object, depth: number): FieldError | undefined {
  for (const [name, item] of Object.entries(fields)) {
    const fault = findNameFault(name) ?? findFault(item, depth + 1)
    if (fault) return { path: `.${toShown(name)}${fault.path}`, msg: fault.msg }
  }
  return undefined
}

function findNameFault(name: string): FieldError | undefined {
  return name === '__proto__' ? here('is not a name a field can have.') : findTextFault(name)
}

function findTextFault(text: string): FieldError | undefined {
  if (text.includes('\0')) return here('holds a NUL character. Leave it out.')
  return text.isWellFormed() ? undefined : here('is not well-formed Unicode: half of a surrogate pair.')
}

function here(msg: string): FieldError {
  return { path: '', msg }
}

function toShown(name: string): string {
  return shorten(name.toWellFormed().replaceAll('\0', '�'))
}
