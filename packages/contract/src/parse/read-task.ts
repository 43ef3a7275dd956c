import type { FieldError } from '@lathe/domain'
import { asImport, isProcessing, kindOf, type Operation } from '@lathe/operations'
import { availableOperations, unavailableOperations } from '../available-operations.ts'
import { taskBodies } from '../bodies/bodies.ts'
import { checkAbility } from './check-ability.ts'
import { type Body, checkFields } from './check-fields.ts'
import { checkValues } from './check-values.ts'
import { dropEmpty } from './drop-empty.ts'
import type { ParsedInput, ParsedTask, TaskPlace } from './parsed.ts'
import { join } from './path.ts'
import { type InputPlace, readInputs } from './read-inputs.ts'
import { toParameters, toPayload, toSecrets } from './to-payload.ts'

/** A task as far as it could be read, and all its errors. */
export interface TaskReading {
  readonly task: ParsedTask
  readonly errors: readonly FieldError[]
}

/** Reads a task definition without `operation`; `place` adds the names it may refer to. */
export function readTask(operation: Operation, given: Body, place: TaskPlace & InputPlace): TaskReading {
  const { path } = place
  const body = dropEmpty(taskBodies[operation], given)
  const content = asImport(operation)?.content
  const parameters = toParameters(body, content?.field)
  const fieldErrors = checkFields(taskBodies[operation], body, path).map((fault) => betterText(operation, fault, path))
  const errors = [...checkAvailable(operation, path), ...fieldErrors]
  let inputs: readonly ParsedInput[] = []
  // Further rules apply only if the types of the fields are valid.
  if (fieldErrors.length === 0) {
    const read = readInputs(operation, body, place)
    inputs = read.inputs
    errors.push(...checkValues(operation, body, place), ...read.errors)
    if (isProcessing(operation) && !unavailableOperations.has(operation))
      errors.push(...checkAbility(operation, parameters, path))
  }
  const sent = content && body[content.field]
  const data = typeof sent === 'string' ? content?.read(sent) : undefined
  const payload = toPayload(body, content?.field)
  const secrets = toSecrets(parameters)
  const name = place.name ?? operation
  return {
    task: {
      ...{ name, operation, inputs, parameters, payload },
      ...(secrets && { secrets }),
      ...(data !== undefined && { content: data }),
    },
    errors,
  }
}

function checkAvailable(operation: Operation, path: string): FieldError[] {
  if (!unavailableOperations.has(operation)) return []
  const msg = `cannot be ${operation} on this server. Available: ${availableOperations.join(', ')}.`
  return [{ path: join(path, 'operation'), code: 'unsupported', msg }]
}

function betterText(operation: Operation, fault: FieldError, path: string): FieldError {
  if (kindOf(operation) !== 'import' || fault.path !== join(path, 'input')) return fault
  return { ...fault, msg: fault.msg.replace('is unknown', 'is not taken by an import') }
}
