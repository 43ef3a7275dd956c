import { type Static, Type } from 'typebox'

/** What every process of the service reads. */
export const runtimeEnv = Type.Object({
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe level that is logged' },
  ),
  LATHE_SECRET: Type.String({
    minLength: 32,
    description: 'The one secret of the installation, at least 32 characters; all keys are derived from it',
  }),
  LATHE_SEALING_SECRETS: Type.String({
    default: '',
    pattern: '^$|^[^,]{32,}(,[^,]{32,})*$',
    description:
      'Secrets that credentials are sealed with, newest first, each of at least 32 characters, separated by commas; the first seals, all open. Empty: LATHE_SECRET',
  }),
  LATHE_CELL: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: 'Number of this cell, part of every id it makes',
  }),
})

export interface RuntimeConfig {
  readonly logLevel: string
  readonly secret: string
  /** The first seals, all open. */
  readonly sealingSecrets: readonly string[]
  readonly cell: number
}

/** The runtime's part of a process's configuration. */
export function runtimeConfig(env: Static<typeof runtimeEnv>): RuntimeConfig {
  const { LATHE_SECRET: secret, LATHE_SEALING_SECRETS: sealing, LATHE_CELL: cell } = env
  return {
    logLevel: String(env.LOG_LEVEL),
    secret,
    cell,
    sealingSecrets: sealing === '' ? [secret] : sealing.split(','),
  }
}

/** Where a process that has no other HTTP serves its metrics. */
export const metricsEnv = Type.Object({
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address the metrics of a worker or scheduler listen on',
  }),
  METRICS_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: 'Port for the metrics of a worker or scheduler; 0: any free port, named in the log',
  }),
})

export interface MetricsConfig {
  readonly host: string
  readonly port: number
}

export function metricsConfig(env: Static<typeof metricsEnv>): MetricsConfig {
  return { host: env.METRICS_HOST, port: env.METRICS_PORT }
}
