import { secretVariable } from '@lathe/runtime'
import { type Static, Type } from 'typebox'

/** The variables that set where files are stored. */
export const storageEnv = Type.Object({
  STORAGE_KIND: Type.Union([Type.Literal('s3'), Type.Literal('disk')], {
    default: 's3',
    description:
      'Where files are stored: `s3` (any S3-compatible storage) or `disk` (a directory, for a single machine)',
  }),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#@]+$',
      description:
        'S3 endpoint without a path, such as `https://s3.eu-central-1.amazonaws.com`. Buckets are addressed by path',
    }),
  ),
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'S3 region' }),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description: 'Bucket for all files. It must not contain anything else',
    }),
  ),
  S3_ACCESS_KEY_ID: Type.Optional(
    secretVariable({ minLength: 1, description: 'S3 access key. Credentials are read from nowhere else' }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(secretVariable({ minLength: 1, description: 'S3 secret key' })),
  STORAGE_DIR: Type.Optional(
    Type.String({
      pattern: '^/',
      description: 'Directory for all files when STORAGE_KIND is `disk`, as an absolute path',
    }),
  ),
})

export interface S3Config {
  readonly kind: 's3'
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface DiskConfig {
  readonly kind: 'disk'
  readonly dir: string
}

export type StorageConfig = S3Config | DiskConfig

/** The store that the variables select. Throws with the names of all missing variables. */
export function storageConfig(env: Static<typeof storageEnv>): StorageConfig {
  if (env.STORAGE_KIND === 'disk') {
    const { STORAGE_DIR } = requireAll(env, ['STORAGE_DIR'])
    return { kind: 'disk', dir: STORAGE_DIR }
  }
  const given = requireAll(env, ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  return {
    kind: 's3',
    endpoint: given.S3_ENDPOINT,
    region: env.S3_REGION,
    bucket: given.S3_BUCKET,
    accessKeyId: given.S3_ACCESS_KEY_ID,
    secretAccessKey: given.S3_SECRET_ACCESS_KEY,
  }
}

type Env = Static<typeof storageEnv>

function requireAll<Name extends keyof Env>(env: Env, names: readonly Name[]): Record<Name, string> {
  const missing = names.filter((name) => !env[name])
  if (missing.length > 0) throw new Error(`STORAGE_KIND=${env.STORAGE_KIND} needs ${missing.join(', ')}`)
  return env as Record<Name, string>
}
