import { secretVariable } from '@lathe/runtime'
import { type Static, Type } from 'typebox'

/** The settings of every process that uses the database. */
export const databaseEnv = Type.Object({
  DATABASE_URL: secretVariable({ minLength: 1, description: 'PostgreSQL connection string' }),
  DATABASE_CONNECTIONS: Type.Integer({
    minimum: 2,
    maximum: 500,
    default: 16,
    description: 'Maximum number of PostgreSQL connections of this process. A worker uses one more for its heartbeats',
  }),
  DATABASE_POOLER: Type.Union([Type.Literal('none'), Type.Literal('transaction')], {
    default: 'none',
    description:
      '`transaction` if DATABASE_URL is that of a pooler such as PgBouncer, in transaction or session mode. Statements are then not prepared, and time limits are sent with each transaction',
  }),
  DATABASE_DIRECT_URL: Type.Optional(
    secretVariable({
      minLength: 1,
      description: 'PostgreSQL connection string without the pooler, which `backup` and `restore` need',
    }),
  ),
  DATABASE_TIMEOUT_S: Type.Integer({
    minimum: 2,
    maximum: 600,
    default: 10,
    description:
      'Seconds to wait for a statement before the connection is closed. PostgreSQL cancels the statement one second earlier. Raise it only if PostgreSQL is slow: a lost network is noticed only after this time',
  }),
})

export interface DatabaseConfig {
  readonly url: string
  readonly connections: number
  /** Whether a pooler may give every transaction another session. Default: none. */
  readonly pooler?: 'none' | 'transaction'
  /** How long to wait for the answer to one statement. Default: 10 s. */
  readonly timeoutMs?: number
}

export function databaseConfig(env: Static<typeof databaseEnv>): DatabaseConfig {
  return {
    url: env.DATABASE_URL,
    connections: env.DATABASE_CONNECTIONS,
    pooler: env.DATABASE_POOLER,
    timeoutMs: env.DATABASE_TIMEOUT_S * 1000,
  }
}
