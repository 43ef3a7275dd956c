import { randomBytes } from 'node:crypto'
import { formatKeys, purposesOf, type Role, readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { AdminError } from './admin-error.ts'

export interface Installation {
  readonly host: string
  readonly registry: string
  readonly version: string
}

/** The new text of a `.env` file, and the names of the variables that were added or derived again. */
export interface EnvChange {
  readonly text: string
  readonly added: readonly string[]
  readonly derived: readonly string[]
}

/** The settings of a new installation; passwords have no defaults. */
export function envText(given: Installation): string {
  const lathe = secret()
  return `# Made by lathe init. Keep a copy elsewhere: without LATHE_SECRET, keys and links of this installation are void.
LATHE_HOST=${given.host}
LATHE_REGISTRY=${given.registry}
LATHE_VERSION=${given.version}
LATHE_SECRET=${lathe}
POSTGRES_PASSWORD=${secret()}
VALKEY_PASSWORD=${secret()}
GRAFANA_PASSWORD=${secret()}

# The keys that each process gets, derived from LATHE_SECRET. After a change of it: lathe init --rekey.
${keyLines({ LATHE_SECRET: lathe }).join('\n')}

# Files are on a volume of this machine. With STORAGE_KIND=s3 and --profile s3 they are in Garage instead.
STORAGE_KIND=disk
S3_ENDPOINT=http://garage:3900
S3_REGION=garage
S3_BUCKET=lathe
S3_ACCESS_KEY_ID=GK${randomBytes(12).toString('hex')}
S3_SECRET_ACCESS_KEY=${randomBytes(32).toString('hex')}
GARAGE_RPC_SECRET=${randomBytes(32).toString('hex')}
`
}

// A new one would not fit the data that is there.
const irreplaceable = ['LATHE_HOST', 'LATHE_SECRET', 'POSTGRES_PASSWORD']

/**
 * The settings of an installation for a newer release: with its version, and with every variable that its compose file
 * requires and the old settings lack. The others have a default there, which may have been chosen by leaving them out.
 * Keys are derived again only where the release needs one for a new purpose.
 */
export function upgradeEnv(
  old: string,
  { compose, ...given }: Omit<Installation, 'host'> & { readonly compose: string },
): EnvChange {
  refuseWithout(old, irreplaceable)
  const names = new Set(namesIn(old))
  const required = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))
  const others = envText({ host: '', ...given }).split('\n')
  const isMissing = (line: string) => namesIn(line).some((name) => required.has(name) && !names.has(name))
  const lines = others.filter((line) => isMissing(line) && !line.startsWith(keysPrefix))
  const lacking = roles.filter((role) => !hasKeys(old, role))
  const keys = keyLines(secretsIn(old), lacking)
  const news = [...lines, ...keys.filter(isMissing)]
  const derived = keys.filter((line) => !isMissing(line))
  const current = derived.reduce(replaceLine, replaceLine(old, `LATHE_VERSION=${given.version}`))
  const added = `# Added by lathe init --upgrade to ${given.version}.\n${news.join('\n')}\n`
  return {
    text: news.length === 0 ? current : `${current.replace(/\n*$/, '\n\n')}${added}`,
    added: news.flatMap(namesIn),
    derived: derived.flatMap(namesIn),
  }
}

/** The settings with the keys of all processes derived again from their secrets. */
export function rekeyEnv(old: string): EnvChange {
  refuseWithout(old, ['LATHE_SECRET', ...roles.map(nameOf)])
  const lines = keyLines(secretsIn(old))
  return { text: lines.reduce(replaceLine, old), added: [], derived: lines.flatMap(namesIn) }
}

const roles = Object.keys(purposesOf) as readonly Role[]
const keysPrefix = 'LATHE_KEYS_'
const nameOf = (role: Role) => `${keysPrefix}${role.toUpperCase()}`

// They contain spaces, and Compose is not the only program that reads the file.
function keyLines(secrets: Readonly<Record<string, string>>, of: readonly Role[] = roles): readonly string[] {
  const { keys } = runtimeConfig(readEnv(runtimeEnv, secrets))
  return of.map((role) => `${nameOf(role)}='${formatKeys(keys, purposesOf[role])}'`)
}

/** Whether the settings have keys of a process for all purposes. */
function hasKeys(text: string, role: Role): boolean {
  try {
    const { keys } = runtimeConfig(readEnv(runtimeEnv, { LATHE_KEYS: valueIn(text, nameOf(role)) }))
    return purposesOf[role].every((purpose) => keys.of(purpose))
  } catch {
    return false
  }
}

const secretNames = ['LATHE_SECRET', 'LATHE_ACCEPTED_SECRETS', 'LATHE_SEALING_SECRETS']

const secretsIn = (text: string) => Object.fromEntries(secretNames.map((name) => [name, valueIn(text, name)]))

function refuseWithout(text: string, names: readonly string[]): void {
  const there = namesIn(text)
  const lost = names.filter((name) => !there.includes(name))
  if (lost.length > 0) throw new AdminError(`.env has no ${lost.join(', ')}: restore it from your copy of the file`)
}

const variable = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(.*)$/gm

/** The names of the variables that a `.env` file sets. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(variable)].map(([, name = '']) => name)
}

/** The value of a variable, without quotes; empty if there is none. */
function valueIn(text: string, name: string): string {
  const found = [...text.matchAll(variable)].findLast(([, one]) => one === name)
  return (found?.[2] ?? '').trim().replace(/^(['"])(.*)\1$/, '$2')
}

/** Replaces the line of a variable by one that sets it. */
function replaceLine(text: string, line: string): string {
  const [name] = namesIn(line)
  return text.replace(variable, (old: string, one: string) => (one === name ? line : old))
}

// Letters and digits only, because the secrets become part of URLs.
function secret(): string {
  return randomBytes(24).toString('hex')
}
