import { type Static, Type } from 'typebox'

/** The settings of every process that uses the record. */
export const databaseEnv = Type.Object({
  DATABASE_URL: Type.String({ minLength: 1, description: 'PostgreSQL connection string of the record of truth' }),
  DATABASE_CONNECTIONS: Type.Integer({
    minimum: 2,
    maximum: 500,
    default: 16,
    description: 'Connections this process may hold to PostgreSQL',
  }),
})

export interface DatabaseConfig {
  readonly url: string
  readonly connections: number
}

export function databaseConfig(env: Static<typeof databaseEnv>): DatabaseConfig {
  return { url: env.DATABASE_URL, connections: env.DATABASE_CONNECTIONS }
}
