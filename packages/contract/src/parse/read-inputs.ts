import type { FieldError } from '@lathe/domain'
import { type Operation, rolesOf } from '@lathe/operations'
import { normalizeId } from '../schemas/common.ts'
import type { Body } from './check-fields.ts'
import type { ParsedInput } from './parsed.ts'
import { join, shorten } from './path.ts'

// Limits the answer: a job may have 100 names of 64 characters, and each of its tasks a hundred errors.
const namesShown = 20

/** Where to look for a task's inputs. */
export interface InputPlace {
  readonly path: string
  /** The names of the job's tasks; undefined outside a job. */
  readonly siblings?: ReadonlySet<string>
}

/** Reads `input`, a string or an array, and the roles of the operation: names of the job's tasks or ids of earlier ones. */
export function readInputs(
  operation: Operation,
  body: Body,
  place: InputPlace,
): { inputs: ParsedInput[]; errors: FieldError[] } {
  const given = Array.isArray(body.input) ? (body.input as unknown[]) : [body.input]
  const at = join(place.path, 'input')
  const inputs: ParsedInput[] = []
  const errors: FieldError[] = []
  for (const [index, text] of given.entries()) {
    if (typeof text !== 'string') continue
    const path = Array.isArray(body.input) ? `${at}[${index}]` : at
    const found = resolve(text, path, place)
    if ('msg' in found) errors.push(found)
    else inputs.push(found)
  }
  for (const role of Object.keys(rolesOf(operation))) {
    const text = body[role]
    if (typeof text !== 'string') continue
    const found = resolve(text, join(place.path, role), place)
    if ('msg' in found) errors.push(found)
    else inputs.push({ ...found, role })
  }
  return { inputs, errors }
}

function resolve(text: string, path: string, { siblings }: InputPlace): ParsedInput | FieldError {
  // A name takes precedence over an id: 24 hex digits are also a valid name.
  if (siblings?.has(text)) return { kind: 'sibling', value: text, path }
  const id = normalizeId(text)
  if (id !== undefined) return { kind: 'task', value: id, path }
  if (siblings === undefined) return { path, msg: 'must be the id of an earlier task: 24 hexadecimal digits.' }
  const names = [...siblings].slice(0, namesShown).join(', ')
  return {
    path,
    code: 'not_found',
    msg: `names no task of this job and is no task id: ${shorten(text)}. Tasks of this job: ${names}.`,
  }
}
