import { secretVariable } from '@lathe/runtime'
import { type Static, Type } from 'typebox'

/** The settings of every process that uses the record. */
export const databaseEnv = Type.Object({
  DATABASE_URL: secretVariable({ minLength: 1, description: 'PostgreSQL connection string of the record of truth' }),
  DATABASE_CONNECTIONS: Type.Integer({
    minimum: 2,
    maximum: 500,
    default: 16,
    description: 'Connections this process may hold to PostgreSQL; a worker holds one more for its heartbeats',
  }),
  DATABASE_TIMEOUT_S: Type.Integer({
    minimum: 2,
    maximum: 600,
    default: 10,
    description:
      'Seconds to wait for the answer to one statement before the connection is given up. PostgreSQL cancels the statement a second earlier. Raise it only if PostgreSQL is slow: this is also how long a lost network goes unnoticed',
  }),
})

export interface DatabaseConfig {
  readonly url: string
  readonly connections: number
  /** How long to wait for the answer to one statement; 10 s unless given. */
  readonly timeoutMs?: number
}

export function databaseConfig(env: Static<typeof databaseEnv>): DatabaseConfig {
  return {
    url: env.DATABASE_URL,
    connections: env.DATABASE_CONNECTIONS,
    timeoutMs: env.DATABASE_TIMEOUT_S * 1000,
  }
}
