import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase, type Database, migrate } from '@lathe/database'
import { createTestDatabase } from '../database.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import { type AppName, type AppProcess, startApp } from './app-process.ts'
import { makeFilePlace } from './file-place.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { startPgBouncer } from './pgbouncer-server.ts'
import { type StackPostgres, startPostgres } from './postgres-server.ts'
import { type StackRedis, startRedis } from './redis-server.ts'

type Env = Readonly<Record<string, string>>

export interface StackOptions {
  /** How many of each; one by default. */
  readonly apis?: number
  readonly workers?: number
  readonly schedulers?: number
  /** Settings for all processes, and for those of one app. */
  readonly env?: Env
  readonly appEnv?: Partial<Record<AppName, Env>>
  /** A separate bucket by default. */
  readonly storage?: 's3' | 'disk'
  /** The gateway for the bucket; the shared one by default. */
  readonly s3Endpoint?: string
  /** A separate cluster that tests may crash, instead of a database in the shared one. */
  readonly privatePostgres?: boolean
  /** The source folder of another release that all processes run; this checkout by default. */
  readonly checkout?: string
  /** Puts a proxy between the processes and PostgreSQL; the test's own connection does not go through it. */
  readonly postgresProxy?: boolean
  /** Puts PgBouncer in transaction mode between the processes and PostgreSQL. */
  readonly pooler?: boolean
}

export interface ProcessOptions {
  readonly env?: Env
  /** Seconds by which the process's clock is ahead of the real one. */
  readonly clockOffset?: number
  /** The source folder of another release; this checkout by default. */
  readonly checkout?: string
}

/** The whole service as separate processes on loopback that share nothing but the machine. */
export interface Stack extends AsyncDisposable, Keyring {
  /** Root of the first api. */
  readonly url: string
  readonly databaseUrl: string
  /** LATHE_SECRET of all processes. */
  readonly secret: string
  /** The service's database, for assertions. */
  readonly database: Database
  readonly processes: readonly AppProcess[]
  readonly redis: StackRedis
  /** Only with `privatePostgres`. */
  readonly postgres: StackPostgres | undefined
  /** Only with `postgresProxy`. */
  readonly postgresProxy: TcpProxy | undefined
  readonly scratchDir: string
  /** The storage settings of the processes, for `storageConfig`. */
  readonly storageEnv: Env
  apps(app: AppName): readonly AppProcess[]
  addApi(options?: ProcessOptions): Promise<AppProcess>
  addWorker(options?: ProcessOptions): Promise<AppProcess>
  addScheduler(options?: ProcessOptions): Promise<AppProcess>
  /** The last log lines of every process, for failure messages. */
  tails(lines?: number): string
}

const secret = 'a secret for stacks under test, long enough'

/** Starts the service and waits until all of it is ready. Disposing kills every process and removes its files. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.adopt(await makeFolder(), (made) => rm(made, { recursive: true, force: true }))
  const scratchDir = join(folder, 'scratch')
  const place = parts.use(
    await makeFilePlace({ kind: options.storage ?? 's3', folder, s3Endpoint: options.s3Endpoint }),
  )
  const postgres = options.privatePostgres ? parts.use(await startPostgres(folder)) : undefined
  if (postgres) await migrate(postgres.url)
  const databaseUrl = postgres?.url ?? parts.use(await createTestDatabase()).url
  const database = parts.use(createDatabase({ url: databaseUrl, connections: 4 }))
  parts.defer(() => dropOtherConnections(database))
  const postgresProxy = options.postgresProxy ? parts.use(await startTcpProxy(databaseUrl)) : undefined
  const pooler = options.pooler
    ? parts.adopt(await startPgBouncer(folder, databaseUrl), async (server) => void (await server.stop()))
    : undefined
  const redis = parts.adopt(await startRedis(folder), async (server) => void (await server.stop()))
  const processes: AppProcess[] = []
  parts.defer(async () => void (await Promise.all(processes.map((process) => process.stop()))))

  const common = {
    ...place.env,
    DATABASE_URL: postgresProxy?.through(databaseUrl) ?? pooler?.through(databaseUrl) ?? databaseUrl,
    ...(pooler && { DATABASE_POOLER: 'transaction' }),
    DATABASE_CONNECTIONS: '8',
    REDIS_URL: redis.url,
    LATHE_SECRET: secret,
    LATHE_ALLOW_HTTP: '1',
    LATHE_SCRATCH_DIR: scratchDir,
    // Tests serve their files from loopback.
    OUTBOUND_ALLOW: '127.0.0.0/8',
    WEBHOOKS_ALLOW_HTTP: '1',
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    RATE_LIMIT_TASKS: '1000000',
    TASKS_OPEN_PER_OWNER: '1000000',
    WORKER_CONCURRENCY: '2',
    ...(process.env.LATHE_ENGINE_ROOT && { LATHE_ENGINE_ROOT: process.env.LATHE_ENGINE_ROOT }),
    ...(process.env.LATHE_TEST_ENGINE_HOST && { ENGINE_HOST: process.env.LATHE_TEST_ENGINE_HOST }),
    ...options.env,
  }
  let started = 0
  async function add(app: AppName, { env, ...given }: ProcessOptions = {}): Promise<AppProcess> {
    const name = `${app}-${++started}`
    const all = { ...common, ...options.appEnv?.[app], ...env }
    const sources = options.checkout === undefined ? {} : { checkout: options.checkout }
    const made = await startApp({ ...sources, ...given, app, name, folder, env: all })
    processes.push(made)
    return made
  }

  const { apis = 1, workers = 1, schedulers = 1 } = options
  const startedApis = repeat(apis, () => add('api'))
  // Schedulers put the api's URL into webhooks, and only the api knows its port.
  const addScheduler = async (given: ProcessOptions = {}) => {
    const publicUrl = (await startedApis[0])?.url
    return add('scheduler', { ...given, env: { ...(publicUrl && { LATHE_PUBLIC_URL: publicUrl }), ...given.env } })
  }
  const [first] = await allOrThrow([
    ...startedApis,
    ...repeat(workers, () => add('worker')),
    ...repeat(schedulers, () => addScheduler()),
  ])
  const all = parts.move()
  return {
    url: apis > 0 ? (first?.url ?? '') : '',
    databaseUrl,
    secret,
    database,
    processes,
    redis,
    postgres,
    postgresProxy,
    scratchDir,
    storageEnv: place.env,
    ...createKeyring(database, secret),
    apps: (app) => processes.filter((process) => process.app === app),
    addApi: (given) => add('api', given),
    addWorker: (given) => add('worker', given),
    addScheduler,
    tails: (lines = 20) => processes.map(({ name, tail }) => `--- ${name}\n${tail(lines)}`).join('\n'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

// In /var/tmp: engines run as a different user, which must be able to reach the scratch folder.
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp('/var/tmp/lathe-stack-')
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'scratch'))
  return folder
}

/**
 * A killed process's connection may be in the middle of a statement. It would be reported as a connection leak of the
 * test.
 */
async function dropOtherConnections({ pool }: Database): Promise<void> {
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await pool.query(sql).catch(() => {})
}

/** Like Promise.all, but waits for all promises before it throws, so that every started process can be killed. */
async function allOrThrow<T>(starting: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

function repeat<T>(times: number, make: () => T): T[] {
  return Array.from({ length: times }, make)
}
