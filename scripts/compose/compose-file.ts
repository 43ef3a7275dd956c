import { parse } from 'yaml'

/** A service in our compose file: only the subset of Compose's syntax used there. */
export interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly user?: string
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks: readonly string[]
  readonly mem_limit: string
  readonly pids_limit?: number
  readonly shm_size?: string
  readonly stop_grace_period?: string
  readonly restart: string
  readonly profiles?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<
    Record<string, { readonly ipam?: { readonly config: readonly { readonly subnet: string }[] } }>
  >
  readonly volumes: Readonly<Record<string, object>>
}

type Env = Readonly<Record<string, string | undefined>>

/** Parses a compose file and fills in variables like Compose. */
export function parseCompose(text: string, env: Env): ComposeFile {
  return fillIn(parse(text, { merge: true }), env) as ComposeFile
}

/** Reads the settings of a `.env` file; values may be in single quotes. */
export function parseEnv(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replace(/^'(.*)'$/, '$1'),
    ]),
  )
}

function fillIn(value: unknown, env: Env): unknown {
  if (typeof value === 'string') return interpolate(value, env)
  if (Array.isArray(value)) return value.map((item) => fillIn(item, env))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, env)]))
}

/** Fills in `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
export function interpolate(text: string, env: Env): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, word = '') => {
    const value = env[name] ?? ''
    if (value !== '' || kind === undefined) return value
    if (kind === '?') throw new Error(`${name} is not set: ${word}`)
    return word
  })
}

/** The services without a profile and those named, each after its dependencies. */
export function startOrder({ services }: ComposeFile, alsoStarted: readonly string[] = []): readonly string[] {
  const order: string[] = []
  const visit = (name: string) => {
    if (order.includes(name)) return
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) visit(needed)
    order.push(name)
  }
  for (const [name, { profiles = [] }] of Object.entries(services)) {
    if (profiles.length === 0 || alsoStarted.includes(name)) visit(name)
  }
  return order
}
