import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type AccountsConfig,
  accountsConfig,
  accountsEnv,
  anonymousEnv,
  mailConfig,
  mailEnv,
  type OidcConfig,
  oidcConfig,
  oidcEnv,
} from '@lathe/accounts'
import { limits } from '@lathe/contract'
import { databaseConfig, databaseEnv } from '@lathe/database'
import { ownerEnv, ownerLimits, uploadEnv, uploadTimeoutMs } from '@lathe/orchestrator'
import { outboundConfig, outboundEnv } from '@lathe/outbound'
import { queueConfig, queueEnv } from '@lathe/queue'
import { metricsConfig, metricsEnv, readEnv, runtimeConfig, runtimeEnv, tracesConfig, tracesEnv } from '@lathe/runtime'
import { storageConfig, storageEnv } from '@lathe/storage'
import { webhookConfig, webhookEnv } from '@lathe/webhooks'
import { type Static, Type } from 'typebox'
import { trimSlashes } from './http/paths.ts'

const GiB = 1024 ** 3
const ownWebDir = fileURLToPath(new URL('../../web/dist', import.meta.url))
const ownGuideDir = fileURLToPath(new URL('../../guide/dist', import.meta.url))

/** Settings of the api, in addition to those of its packages. */
export const httpEnv = Type.Object({
  HTTP_HOST: Type.String({ default: '127.0.0.1', description: 'Address the api listens on' }),
  HTTP_PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: 'Port the api listens on' }),
  LATHE_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#][^?#]*$',
      description: 'Where clients reach the api, for links and forms; by default what it listens on',
    }),
  ),
  WEB_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Directory of the built web app, served at /. Default: `apps/web/dist` in the checkout. Without it, the api serves only the pages /docs and /guide',
    }),
  ),
  GUIDE_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Directory of the built guide, served at /guide. Default: `apps/guide/dist` in the checkout',
    }),
  ),
  TLS_CERT_FILE: Type.Optional(Type.String({ description: 'Certificate chain (PEM). If set, the api serves HTTPS' })),
  TLS_KEY_FILE: Type.Optional(Type.String({ description: 'Private key of the certificate (PEM)' })),
  LATHE_ALLOW_HTTP: Type.Boolean({
    default: false,
    description: 'Accept plain HTTP. For development only',
  }),
  LATHE_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'IP addresses or networks of trusted proxies, whose X-Forwarded-* headers are used, separated by commas',
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    description:
      'Origins of web pages that may call the api (CORS), separated by commas. Queries, uploads and downloads are open to all origins',
  }),
  RATE_LIMIT_PER_KEY: Type.Integer({
    minimum: 1,
    default: 300,
    description: 'Maximum number of requests per minute with one API key',
  }),
  RATE_LIMIT_PER_ADDRESS: Type.Integer({
    minimum: 1,
    default: 120,
    description: 'Maximum number of requests per minute from one address (IPv6: one /64) without a valid key',
  }),
  RATE_LIMIT_TRANSFERS: Type.Integer({
    minimum: 1,
    default: 6000,
    description:
      'Maximum number of requests per minute to the upload forms and download links of one owner, from all addresses together',
  }),
  RATE_LIMIT_TASKS: Type.Integer({
    minimum: 1,
    default: 6000,
    description: 'Maximum number of tasks that one owner may create per minute, with all its keys together',
  }),
  EDGES_PER_JOB: Type.Integer({
    minimum: 1,
    default: limits.inputsPerJob,
    description:
      'Maximum number of edges in the graph of one job: the entries of `input` of all its tasks together. A job with more is refused',
  }),
  LATHE_MAX_FILE_BYTES: Type.Integer({
    minimum: 1,
    default: 10 * GiB,
    description: 'Maximum size of an imported or uploaded file, in bytes',
  }),
  HTTP_IDLE_S: Type.Integer({
    minimum: 1,
    default: 30,
    description: 'Seconds without data after which an incomplete request is aborted',
  }),
  HTTP_DRAIN_S: Type.Integer({
    minimum: 0,
    default: 5,
    description:
      'Seconds between the stop signal, after which /readyz returns 503, and the end of the listener. Set it higher than the time your load balancer needs to notice',
  }),
  UPLOADS_AT_ONCE: Type.Integer({
    minimum: 1,
    default: 16,
    description:
      'Maximum number of concurrent uploads in this process. Each may use about 20 MB of memory. Further uploads wait up to 10 seconds; when slow uploads use all slots, the slowest is aborted',
  }),
  UPLOADS_PER_OWNER: Type.Integer({
    minimum: 1,
    default: 8,
    description: 'Maximum number of concurrent uploads per owner and process. Keep it below UPLOADS_AT_ONCE',
  }),
  UPLOAD_MAX_S: Type.Integer({
    minimum: 1,
    default: 3600,
    description:
      'Maximum duration of an upload, or of one request of a resumable upload, in seconds. A form is valid for an hour, so higher values have no effect',
  }),
  DOWNLOADS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 256,
    description:
      'Maximum number of concurrent downloads in this process. Each may use a connection to the storage. Further downloads wait up to 10 seconds, then get 429',
  }),
  DOWNLOADS_PER_OWNER: Type.Integer({
    minimum: 1,
    default: 64,
    description:
      "Maximum number of concurrent downloads of one owner's files per process. Keep it below DOWNLOADS_AT_ONCE",
  }),
  DOWNLOADS_PER_LINK: Type.Integer({
    minimum: 1,
    default: 16,
    description:
      'Maximum number of concurrent downloads per link and process. Raise it if you publish links to many readers',
  }),
  TRANSFER_MIN_RATE: Type.Integer({
    minimum: 1,
    default: 8192,
    description:
      'Minimum transfer rate of clients in bytes per second, averaged over 30 seconds of an upload or 2 minutes of a download. Slower clients are disconnected',
  }),
  WAITERS_AT_ONCE: Type.Integer({
    minimum: 0,
    default: 1000,
    description: 'Maximum number of requests with Prefer: wait that wait in this process',
  }),
  WAITERS_PER_KEY: Type.Integer({
    minimum: 0,
    default: 100,
    description:
      'Maximum number of requests with Prefer: wait that wait per API key and process. Further requests are answered at once',
  }),
  LISTENERS_PER_KEY: Type.Integer({
    minimum: 0,
    default: 100,
    description: 'Maximum number of event streams and Socket.IO connections per API key and process',
  }),
  LISTENERS_PER_OWNER: Type.Integer({
    minimum: 0,
    default: 300,
    description:
      'Maximum number of event streams and Socket.IO connections of one owner per process, with all its keys together',
  }),
  LISTENERS_AT_ONCE: Type.Integer({
    minimum: 0,
    default: 3000,
    description:
      'Maximum number of event streams and Socket.IO connections per process. Each takes about 90 kB of memory',
  }),
})

const apiEnv = Type.Object({
  ...runtimeEnv.properties,
  ...tracesEnv.properties,
  ...metricsEnv.properties,
  ...httpEnv.properties,
  ...databaseEnv.properties,
  ...queueEnv.properties,
  ...storageEnv.properties,
  ...outboundEnv.properties,
  ...webhookEnv.properties,
  ...ownerEnv.properties,
  ...uploadEnv.properties,
  ...accountsEnv.properties,
  ...anonymousEnv.properties,
  ...oidcEnv.properties,
  ...mailEnv.properties,
})

export interface HttpConfig {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** The folder with the built web app. */
  readonly webDir: string
  /** The folder with the built guide. */
  readonly guideDir: string
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  readonly allowHttp: boolean
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly perKey: number
  readonly perAddress: number
  readonly transfersPerOwner: number
  readonly tasksPerOwner: number
  readonly edgesPerJob: number
  readonly maxFileBytes: number
  readonly idleMs: number
  /** How long a stopping api still accepts requests. */
  readonly drainMs: number
  /** Bytes per second that a client must send or receive, averaged over a window spent waiting for it. */
  readonly minRate: number
  readonly rateWindowMs: number
  readonly uploadsAtOnce: number
  readonly uploadsPerOwner: number
  readonly uploadMaxMs: number
  /** How long a form waits for its file, or for the next part of one. */
  readonly uploadTimeoutMs: number
  readonly downloadsAtOnce: number
  readonly downloadsPerOwner: number
  readonly downloadsPerLink: number
  /** How long a transfer waits for a slot. */
  readonly slotWaitMs: number
  /** A transfer younger than this never gives way to others. */
  readonly slotGraceMs: number
  readonly waitersAtOnce: number
  readonly waitersPerKey: number
  readonly listenersPerKey: number
  readonly listenersPerOwner: number
  readonly listenersAtOnce: number
  /** How often an idle event stream sends a heartbeat; a stream whose buffer is full is cut after the same time. */
  readonly heartbeatMs: number
}

export type ApiConfig = ReturnType<typeof readConfig>

/** Reads all settings of the api, or throws an error that lists all faults. */
export function readConfig(source: Readonly<Record<string, string | undefined>>) {
  const env = readEnv(apiEnv, source)
  const http = { ...httpConfig(env), uploadTimeoutMs: uploadTimeoutMs(env) }
  const accounts = accountsConfig(env)
  if (accounts.mode !== 'none') requireSafeCookies(http)
  const oidc = oidcConfig(env)
  if (oidc) requireSafeProvider(oidc, accounts, http)
  return {
    runtime: runtimeConfig(env),
    traces: tracesConfig(env),
    metrics: metricsConfig(env),
    http,
    accounts,
    oidc,
    mail: mailConfig(env),
    database: databaseConfig(env),
    queue: queueConfig(env),
    storage: storageConfig(env),
    outbound: outboundConfig(env),
    webhooks: webhookConfig(env),
    limits: ownerLimits(env),
  }
}

function httpConfig(env: Static<typeof httpEnv>): Omit<HttpConfig, 'uploadTimeoutMs'> {
  const tls = readTls(env.TLS_CERT_FILE, env.TLS_KEY_FILE)
  const own = `${tls ? 'https' : 'http'}://${env.HTTP_HOST}:${env.HTTP_PORT}`
  return {
    host: env.HTTP_HOST,
    port: env.HTTP_PORT,
    publicUrl: trimSlashes(env.LATHE_PUBLIC_URL ?? own),
    webDir: resolve(env.WEB_DIR ?? ownWebDir),
    guideDir: resolve(env.GUIDE_DIR ?? ownGuideDir),
    tls,
    allowHttp: env.LATHE_ALLOW_HTTP,
    trustedProxies: toList(env.LATHE_TRUSTED_PROXIES),
    corsOrigins: toList(env.CORS_ORIGINS),
    perKey: env.RATE_LIMIT_PER_KEY,
    perAddress: env.RATE_LIMIT_PER_ADDRESS,
    transfersPerOwner: env.RATE_LIMIT_TRANSFERS,
    tasksPerOwner: env.RATE_LIMIT_TASKS,
    edgesPerJob: env.EDGES_PER_JOB,
    maxFileBytes: env.LATHE_MAX_FILE_BYTES,
    idleMs: env.HTTP_IDLE_S * 1000,
    drainMs: env.HTTP_DRAIN_S * 1000,
    minRate: env.TRANSFER_MIN_RATE,
    rateWindowMs: 30_000,
    uploadsAtOnce: env.UPLOADS_AT_ONCE,
    uploadsPerOwner: env.UPLOADS_PER_OWNER,
    uploadMaxMs: env.UPLOAD_MAX_S * 1000,
    downloadsAtOnce: env.DOWNLOADS_AT_ONCE,
    downloadsPerOwner: env.DOWNLOADS_PER_OWNER,
    downloadsPerLink: env.DOWNLOADS_PER_LINK,
    slotWaitMs: 10_000,
    slotGraceMs: 5_000,
    waitersAtOnce: env.WAITERS_AT_ONCE,
    waitersPerKey: env.WAITERS_PER_KEY,
    listenersPerKey: env.LISTENERS_PER_KEY,
    listenersPerOwner: env.LISTENERS_PER_OWNER,
    listenersAtOnce: env.LISTENERS_AT_ONCE,
    heartbeatMs: 15_000,
  }
}

/** Browsers send cookies over plain HTTP readable for anyone, so the operator must explicitly allow it. */
function requireSafeCookies({ publicUrl, allowHttp }: HttpConfig): void {
  if (allowHttp || publicUrl.startsWith('https:')) return
  throw new Error(
    `Bad configuration:\n  ACCOUNTS_MODE needs LATHE_PUBLIC_URL to be https (it is ${publicUrl}), or LATHE_ALLOW_HTTP=1 on a network you trust`,
  )
}

/** An attacker who can change the provider's answers can sign in as any user. */
function requireSafeProvider({ issuer }: OidcConfig, { mode }: AccountsConfig, { allowHttp }: HttpConfig): void {
  if (mode !== 'accounts') throw new Error('Bad configuration:\n  OIDC_ISSUER needs ACCOUNTS_MODE=accounts')
  if (issuer.protocol === 'https:' || allowHttp) return
  throw new Error(
    `Bad configuration:\n  OIDC_ISSUER must be https (it is ${issuer.href}), or LATHE_ALLOW_HTTP=1 on a network you trust`,
  )
}

function readTls(certFile: string | undefined, keyFile: string | undefined): HttpConfig['tls'] {
  if (!certFile && !keyFile) return undefined
  if (!certFile || !keyFile) throw new Error('Bad configuration:\n  TLS_CERT_FILE and TLS_KEY_FILE go together')
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) }
}

function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
