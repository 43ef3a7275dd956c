import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname

/**
 * The environment of a checkout: the services of `npm run services`, plain HTTP, and a secret generated once. Variables
 * of the caller take precedence; if DATABASE_URL is set, or the file it is in, no defaults are added.
 */
export function devEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  if (env.DATABASE_URL || env.DATABASE_URL_FILE) return env
  return {
    DATABASE_URL: env.LATHE_TEST_DATABASE_URL ?? 'postgres://lathe@127.0.0.1:54329/lathe',
    REDIS_URL: env.LATHE_TEST_REDIS_URL ?? 'redis://127.0.0.1:63799',
    STORAGE_KIND: 's3',
    S3_ENDPOINT: env.LATHE_TEST_S3_ENDPOINT ?? 'http://127.0.0.1:7489',
    S3_BUCKET: 'lathe',
    S3_ACCESS_KEY_ID: 'test',
    S3_SECRET_ACCESS_KEY: 'testtest',
    LATHE_ALLOW_HTTP: '1',
    // Everyone who can reach loopback may use the page.
    ACCOUNTS_MODE: 'open',
    LATHE_PUBLIC_URL: `http://127.0.0.1:${env.HTTP_PORT ?? 8080}`,
    // The default folder may belong to a worker of another user of this machine.
    LATHE_SCRATCH_DIR: `/var/tmp/lathe-${process.getuid?.() ?? 0}`,
    LATHE_SECRET: env.LATHE_SECRET ?? devSecret(),
    ...env,
  }
}

// Stored, so that keys made today work tomorrow.
function devSecret(): string {
  const file = join(root, '.lathe', 'dev-secret')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    mkdirSync(join(root, '.lathe'), { recursive: true })
    const secret = randomBytes(32).toString('base64url')
    writeFileSync(file, `${secret}\n`, { mode: 0o600 })
    return secret
  }
}
