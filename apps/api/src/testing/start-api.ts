import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccounts } from '@lathe/accounts'
import type { KeyScope } from '@lathe/contract'
import { createIds, deriveKeys, silentLog, systemClock } from '@lathe/runtime'
import { createTestDatabase, testServices } from '@lathe/testing'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { compose } from '../compose.ts'
import { type HttpConfig, readConfig } from '../config.ts'
import type { Services } from '../services.ts'

export const secret = 'a secret for tests that is long enough'

/** A separate api for a test: a fresh database, a folder for files, a unique Redis prefix. */
export interface TestApi extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly services: Services
  readonly storageDir: string
  /** Its settings, to start another process of the same service. */
  readonly env: Readonly<Record<string, string>>
  /** Creates a user and returns a key of it. */
  createKey(
    scopes?: readonly KeyScope[],
  ): Promise<{ key: string; keyId: string; userId: string; headers: { authorization: string } }>
  /** Creates another key of a user. */
  addKey(userId: string): Promise<{ key: string; keyId: string }>
  revokeKey(id: string, options?: { readonly keepLinks?: boolean }): Promise<void>
}

export interface TestApiOptions {
  readonly http?: Partial<HttpConfig>
  readonly env?: Readonly<Record<string, string>>
  /** Replaces services, to simulate what real ones rarely do. */
  readonly replace?: (services: Services) => Partial<Services>
}

/** Starts an api on real PostgreSQL and Redis, without a port: tests inject requests, or listen themselves. */
export async function startApi({ http = {}, env = {}, replace }: TestApiOptions = {}): Promise<TestApi> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'lathe-api-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const settings = {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '6',
    REDIS_URL: testServices().redisUrl,
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    STORAGE_KIND: 'disk',
    STORAGE_DIR: folder,
    LATHE_SECRET: secret,
    LATHE_PUBLIC_URL: 'https://lathe.test',
    LATHE_ALLOW_HTTP: '1',
    RATE_LIMIT_PER_KEY: '100000',
    RATE_LIMIT_PER_ADDRESS: '100000',
    ...env,
  }
  const config = readConfig(settings)
  const built = stack.use(await compose({ ...config, http: { ...config.http, ...http } }, { log: silentLog }))
  const services: Services = { ...built, ...replace?.(built) }
  const app = stack.use(await buildApp(services))
  await app.ready()
  const accounts = createAccounts({
    database: services.database,
    hashKeys: deriveKeys([secret], 'api-keys'),
    ids: createIds(0),
    clock: systemClock,
    log: silentLog,
  })
  const parts = stack.move()
  return {
    app,
    services,
    storageDir: folder,
    env: settings,
    async createKey(scopes) {
      const user = await accounts.createUser({ name: 'test', slots: 4 })
      const created = await accounts.createKey({ userId: user.id, name: 'test', ...(scopes && { scopes }) })
      if (!created) throw new Error('no key')
      const { key, record } = created
      return { key, keyId: record.id, userId: user.id, headers: { authorization: `Bearer ${key}` } }
    },
    async addKey(userId) {
      const created = await accounts.createKey({ userId, name: 'another' })
      if (!created) throw new Error('no key')
      return { key: created.key, keyId: created.record.id }
    },
    revokeKey: async (id, options) => void (await accounts.revokeKey(id, options)),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
