import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'

/** Reads the variables a schema names, and only those. Reports every fault at once. */
export function readEnv<T extends TObject>(
  schema: T,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Static<T>> {
  // An empty variable counts as absent: that is how compose files and shells spell "not set".
  const given = Object.keys(schema.properties).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  const value = Value.Convert(schema, Value.Default(schema, Object.fromEntries(given)))
  const faults = Value.Errors(schema, value).map((fault) => `  ${fault.instancePath || '(root)'} ${fault.message}`)
  if (faults.length > 0) throw new Error(`Bad configuration:\n${faults.join('\n')}`)
  return Object.freeze(value) as Readonly<Static<T>>
}
