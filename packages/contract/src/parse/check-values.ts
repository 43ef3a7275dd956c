import type { FieldError } from '@lathe/domain'
import { cleanFilename } from '@lathe/formats'
import { addressFields, findOperation, type Operation } from '@lathe/operations'
import type { Body } from './check-fields.ts'
import { join } from './path.ts'

/** Rules that go beyond a field's type. Expects a well-typed body. */
export function checkValues(operation: Operation, body: Body, { inJob, path }: ValuePlace): FieldError[] {
  const faults = [
    ...checkFilename(body),
    ...checkAddresses(body),
    ...(findOperation(operation).check?.(body, { inJob }) ?? []),
  ]
  return faults.map((fault) => ({ ...fault, path: join(path, fault.path) }))
}

interface ValuePlace {
  readonly inJob: boolean
  readonly path: string
}

// File systems and browsers do not keep a name of only spaces and dots.
function checkFilename({ filename }: Body): FieldError[] {
  if (typeof filename !== 'string' || cleanFilename(filename) !== undefined) return []
  return [{ path: 'filename', msg: 'must hold more than blanks and dots.' }]
}

function checkAddresses(body: Body): FieldError[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (!addressFields.has(name) || typeof value !== 'string') return []
    return isWebAddress(value) ? [] : [{ path: name, msg: 'must be an address that begins with http:// or https://.' }]
  })
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}
