import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminError } from './admin-error.ts'
import type { Outcome } from './commands.ts'

export interface InitFlags {
  readonly host?: string
  readonly into?: string
  readonly registry?: string
  readonly upgrade?: boolean
}

const deploy = new URL('../../deploy/', import.meta.url).pathname
const manifest = new URL('../../package.json', import.meta.url)

/** Writes an installation for Docker Compose into a folder: the files of this release and newly generated secrets. */
export function initInstallation({
  host = '',
  into = '/install',
  registry = 'localhost',
  upgrade,
}: InitFlags): Outcome {
  const envFile = join(into, '.env')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const isThere = existsSync(envFile)
  if (upgrade && !isThere) throw new AdminError(`${into} has no .env: run init without --upgrade`)
  if (!upgrade && isThere) throw new AdminError(`${envFile} is there already: use --upgrade to keep its secrets`)
  if (!upgrade && !/^[a-z0-9.-]+$/i.test(host))
    throw new AdminError('init needs --host <name>, such as files.example.org')
  const text = upgrade ? withVersion(readFileSync(envFile, 'utf8'), version) : envText({ host, registry, version })
  try {
    copyDeployment(into)
    replaceFile(envFile, text)
  } catch (error) {
    throw new AdminError(`Cannot write to ${into}: ${(error as Error).message}`)
  }
  return { data: { into, version }, text: `Wrote release ${version} to ${into}. Next: docker compose up -d --wait` }
}

/** Copies everything except tests and the files for installations without Compose. */
function copyDeployment(into: string): void {
  const isUsed = (path: string) => !/(^helm|^systemd|\.test\.yml)$/.test(path.slice(deploy.length))
  cpSync(deploy, into, { recursive: true, filter: isUsed })
}

/** Replaces the file atomically: a partial .env would be an installation without its secrets. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

function withVersion(env: string, version: string): string {
  return env.replace(/^LATHE_VERSION=.*$/m, `LATHE_VERSION=${version}`)
}

/** The settings of an installation; passwords have no defaults. */
export function envText(given: { host: string; registry: string; version: string }): string {
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

// Letters and digits only, because the secrets become part of URLs.
function secret(): string {
  return randomBytes(24).toString('hex')
}
