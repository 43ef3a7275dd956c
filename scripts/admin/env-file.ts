import { randomBytes } from 'node:crypto'
import { AdminError } from './admin-error.ts'

export interface Installation {
  readonly host: string
  readonly registry: string
  readonly version: string
}

/** The settings of a new installation; passwords have no defaults. */
export function envText(given: Installation): string {
  return `# Made by lathe init. Keep a copy elsewhere: without LATHE_SECRET, keys and links of this installation are void.
LATHE_HOST=${given.host}
LATHE_REGISTRY=${given.registry}
LATHE_VERSION=${given.version}
LATHE_SECRET=${secret()}
POSTGRES_PASSWORD=${secret()}
VALKEY_PASSWORD=${secret()}
GRAFANA_PASSWORD=${secret()}

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
 */
export function upgradeEnv(
  old: string,
  { compose, ...given }: Omit<Installation, 'host'> & { readonly compose: string },
): { readonly text: string; readonly added: readonly string[] } {
  const names = new Set(namesIn(old))
  const required = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))
  const lost = irreplaceable.filter((name) => !names.has(name))
  if (lost.length > 0) throw new AdminError(`.env has no ${lost.join(', ')}: restore it from your copy of the file`)
  const lines = envText({ host: '', ...given })
    .split('\n')
    .filter((line) => namesIn(line).some((name) => required.has(name) && !names.has(name)))
  const current = old.replace(/^LATHE_VERSION=.*$/m, `LATHE_VERSION=${given.version}`)
  if (lines.length === 0) return { text: current, added: [] }
  const added = `# Added by lathe init --upgrade to ${given.version}.\n${lines.join('\n')}\n`
  return { text: `${current.replace(/\n*$/, '\n\n')}${added}`, added: lines.flatMap(namesIn) }
}

/** The names of the variables that a `.env` file sets. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=/gm)].map(([, name = '']) => name)
}

// Letters and digits only, because the secrets become part of URLs.
function secret(): string {
  return randomBytes(24).toString('hex')
}
