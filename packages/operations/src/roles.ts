import type { Body, Role } from './define.ts'
import { findOperation, isOperation } from './operations.ts'

/** The files that an operation takes beside those it works on, by field. */
export function rolesOf(name: string): Readonly<Record<string, Role>> {
  const operation = isOperation(name) ? findOperation(name) : undefined
  return (operation?.kind === 'process' && operation.inputs.roles) || {}
}

/** The tasks that a task takes files from, told apart. */
export interface SplitInputs<One> {
  /** Those named as `input`. */
  readonly inputs: readonly One[]
  /** One for each role that was given. */
  readonly roles: Readonly<Record<string, One>>
}

/**
 * Tells apart what a task depends on: a record lists the tasks of `input` first, then one for each role that its payload
 * has, in the order of the definition.
 */
export function splitInputs<One>(name: string, payload: Body, dependsOn: readonly One[]): SplitInputs<One> {
  const given = Object.keys(rolesOf(name)).filter((role) => payload[role] !== undefined)
  const first = dependsOn.length - given.length
  const roles = given.flatMap((role, i) => dependsOn.slice(first + i, first + i + 1).map((one) => [role, one] as const))
  return { inputs: dependsOn.slice(0, first), roles: Object.fromEntries(roles) }
}
