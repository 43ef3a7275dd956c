import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminError } from './admin-error.ts'
import type { Outcome } from './commands.ts'
import { envText, rekeyEnv, upgradeEnv } from './env-file.ts'

export interface InitFlags {
  readonly host?: string
  readonly into?: string
  readonly registry?: string
  readonly upgrade?: boolean
  readonly rekey?: boolean
}

/** The image says where it was published. */
const publishedAt = () => process.env.LATHE_REGISTRY || 'localhost'

const deploy = new URL('../../deploy/', import.meta.url).pathname
const manifest = new URL('../../package.json', import.meta.url)

/** Writes an installation for Docker Compose into a folder: the files of this release and newly generated secrets. */
export function initInstallation({
  host = '',
  into = '/install',
  registry = publishedAt(),
  upgrade,
  rekey,
}: InitFlags): Outcome {
  const envFile = join(into, '.env')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const isThere = existsSync(envFile)
  const isNew = !upgrade && !rekey
  if (upgrade && rekey) throw new AdminError('Choose one of --upgrade and --rekey')
  if (!isNew && !isThere) throw new AdminError(`${into} has no .env: run init with --host <name> alone`)
  if (isNew && isThere) throw new AdminError(`${envFile} is there already: use --upgrade to keep its secrets`)
  if (isNew && !/^[a-z0-9.-]+$/i.test(host)) throw new AdminError('init needs --host <name>, such as files.example.org')
  const old = isNew ? '' : readFileSync(envFile, 'utf8')
  const { text, added, derived } = rekey
    ? rekeyEnv(old)
    : upgrade
      ? upgradeEnv(old, { registry, version, compose: readDeployed('compose.yaml') })
      : { text: envText({ host, registry, version }), added: [], derived: [] }
  try {
    if (!rekey) copyDeployment(into)
    replaceFile(envFile, text)
  } catch (error) {
    throw new AdminError(`Cannot write to ${into}: ${(error as Error).message}`)
  }
  const said = [
    rekey ? '' : `Wrote release ${version} to ${into}.`,
    added.length > 0 ? `Added to .env, which you keep a copy of: ${added.join(', ')}.` : '',
    derived.length > 0 ? `Derived again in .env: ${derived.join(', ')}.` : '',
    'Next: docker compose up -d --wait',
  ]
  return { data: { into, version, added, derived }, text: said.filter(Boolean).join('\n') }
}

const readDeployed = (name: string) => readFileSync(join(deploy, name), 'utf8')

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
