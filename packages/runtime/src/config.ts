import { type Static, Type } from 'typebox'
import { secretVariable } from './env.ts'
import {
  createKeyRing,
  deriveKeys,
  type KeyPurpose,
  type KeyRing,
  keyPurposes,
  keysPattern,
  parseKeys,
} from './keys.ts'

const secretList = '^$|^[^,]{32,}(,[^,]{32,})*$'

/** The settings that every process of the service reads. */
export const runtimeEnv = Type.Object({
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Minimum level of log messages' },
  ),
  LATHE_SECRET: Type.Optional(
    secretVariable({
      minLength: 32,
      description:
        'The secret of the installation, at least 32 characters; all keys are derived from it. Required, unless LATHE_KEYS or, for a worker, LATHE_SEALING_SECRETS is set',
    }),
  ),
  LATHE_ACCEPTED_SECRETS: secretVariable({
    default: '',
    pattern: secretList,
    description:
      'Further secrets that are accepted but not used for anything new, separated by commas, each at least 32 characters long. To rotate LATHE_SECRET: the next one before the change, the previous one after it',
  }),
  LATHE_SEALING_SECRETS: secretVariable({
    default: '',
    pattern: secretList,
    description:
      'Secrets that encrypt credentials, newest first, separated by commas, each at least 32 characters long. The first encrypts, all decrypt. Empty: LATHE_SECRET and LATHE_ACCEPTED_SECRETS',
  }),
  LATHE_KEYS: secretVariable({
    default: '',
    pattern: keysPattern,
    description:
      'Instead of all secrets above: the keys one kind of process needs, as `npm run admin -- derive-keys --role worker` prints them',
  }),
  LATHE_CELL: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: 'Number of this cell. It is part of every id that the cell creates',
  }),
})

export interface RuntimeConfig {
  readonly logLevel: string
  readonly keys: KeyRing
  readonly cell: number
}

/** The runtime's part of a process's configuration. */
export function runtimeConfig(env: Static<typeof runtimeEnv>): RuntimeConfig {
  return { logLevel: String(env.LOG_LEVEL), keys: readKeys(env), cell: env.LATHE_CELL }
}

/** The keys of LATHE_KEYS, or those derived from the secrets. */
function readKeys(env: Static<typeof runtimeEnv>): KeyRing {
  const {
    LATHE_SECRET: secret,
    LATHE_ACCEPTED_SECRETS: accepted,
    LATHE_SEALING_SECRETS: sealing,
    LATHE_KEYS: keys,
  } = env
  const hasSecret = secret !== undefined || sealing !== ''
  if (keys !== '' && hasSecret) throw badConfiguration('LATHE_KEYS replaces LATHE_SECRET and LATHE_SEALING_SECRETS')
  if (keys !== '') return parseKeys(keys)
  if (!hasSecret) throw badConfiguration('LATHE_SECRET is missing')
  return createKeyRing({
    ...deriveAll(secret === undefined ? [] : [secret, ...toList(accepted)], keyPurposes),
    ...deriveAll(toList(sealing), ['credentials']),
  })
}

function deriveAll([first, ...rest]: readonly string[], purposes: readonly KeyPurpose[]) {
  if (first === undefined) return {}
  return Object.fromEntries(purposes.map((purpose) => [purpose, deriveKeys([first, ...rest], purpose)]))
}

const toList = (text: string) => (text === '' ? [] : text.split(','))
const badConfiguration = (fault: string) => new Error(`Bad configuration:\n  ${fault}`)

/** Where a process serves its metrics. */
export const metricsEnv = Type.Object({
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address that /metrics of each process is served on. It is open to anyone who reaches it: keep it inside your network',
  }),
  METRICS_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description:
      'Port that /metrics of each process is served on, and /healthz and /readyz of a worker or scheduler. Processes on one machine need different ones; 0: any free port, named in the log',
  }),
})

export interface MetricsConfig {
  readonly host: string
  readonly port: number
}

export function metricsConfig(env: Static<typeof metricsEnv>): MetricsConfig {
  return { host: env.METRICS_HOST, port: env.METRICS_PORT }
}

/** Where a process sends its traces. */
export const tracesEnv = Type.Object({
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    pattern: '^$|^https?://[^?#]+$',
    description:
      'OpenTelemetry collector for traces over HTTP, such as http://127.0.0.1:4318. Empty: no traces. OTEL_EXPORTER_OTLP_HEADERS adds headers, such as a token',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Share of requests that are traced, from 0 to 1. Tasks are traced if the request that created them is',
  }),
})

export interface TracesConfig {
  readonly endpoint: string
  readonly share: number
}

export function tracesConfig(env: Static<typeof tracesEnv>): TracesConfig {
  return { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, ''), share: env.OTEL_TRACES_SAMPLER_ARG }
}
