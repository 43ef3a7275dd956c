import type { Body, Role } from './define.ts'
import { findOperation, isOperation } from './operations.ts'

/** The files that an operation takes in addition to its inputs, by field. */
export function rolesOf(name: string): Readonly<Record<string, Role>> {
  const operation = isOperation(name) ? findOperation(name) : undefined
  return (operation?.kind === 'process' && operation.inputs.roles) || {}
}

/** The tasks that a task takes files from, separated by purpose. */
export interface SplitInputs<One> {
  /** The tasks named in `input`. */
  readonly inputs: readonly One[]
  /** One task for each role in the request. */
  readonly roles: Readonly<Record<string, One>>
}

/**
 * Separates the dependencies of a task: a record lists the tasks of `input` first, then one for each role that its
 * payload has, in the order of the definition.
 */
export function splitInputs<One>(name: string, payload: Body, dependsOn: readonly One[]): SplitInputs<One> {
  const given = Object.keys(rolesOf(name)).filter((role) => payload[role] !== undefined)
  const first = dependsOn.length - given.length
  const roles = given.flatMap((role, i) => dependsOn.slice(first + i, first + i + 1).map((one) => [role, one] as const))
  return { inputs: dependsOn.slice(0, first), roles: Object.fromEntries(roles) }
}
