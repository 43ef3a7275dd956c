import { readFileSync } from 'node:fs'
import { type Static, type TObject, type TStringOptions, Type } from 'typebox'
import { Value } from 'typebox/value'

type Env = Readonly<Record<string, string | undefined>>

/** A variable that holds a secret. `NAME_FILE` may name a file that holds it instead. */
export function secretVariable(options: TStringOptions) {
  return Type.String({ ...options, isSecret: true })
}

/** Reads the variables a schema names, and only those. Reports every fault at once. */
export function readEnv<T extends TObject>(schema: T, env: Env): Readonly<Static<T>> {
  const faults: string[] = []
  const given = Object.entries(schema.properties).flatMap(([name, variable]) => {
    const value = 'isSecret' in variable ? readSecret(env, name, faults) : env[name]
    // An empty variable counts as absent: compose files and shells express "not set" this way.
    return value ? [[name, value]] : []
  })
  const value = Value.Convert(schema, Value.Default(schema, Object.fromEntries(given)))
  // A file that cannot be read is reported as such, not as a missing variable.
  if (faults.length === 0) {
    faults.push(...Value.Errors(schema, value).map((fault) => `${fault.instancePath || '(root)'} ${fault.message}`))
  }
  if (faults.length > 0) throw new Error(`Bad configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  return Object.freeze(value) as Readonly<Static<T>>
}

function readSecret(env: Env, name: string, faults: string[]): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return env[name]
  if (env[name]) faults.push(`${name} and ${name}_FILE exclude each other`)
  try {
    // Editors and `echo` end files with a line break that is not part of the secret.
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    faults.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    return undefined
  }
}
