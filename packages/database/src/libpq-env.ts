import pg from 'pg'

// Connection parameters that PostgreSQL's own programs read from the environment.
const variables = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
} as const

/**
 * The environment that `pg_dump` and `psql` need to connect to the same database. Everyone on the machine can read the
 * arguments of a process, but only its user can read its environment.
 */
export function libpqEnv(url: string): Readonly<Record<string, string>> {
  const { host, port, user, database, password } = new pg.Client({ connectionString: url })
  const given = new URLSearchParams(url.split('?')[1])
  const rest = Object.entries(variables).flatMap(([name, variable]) => {
    const value = given.get(name)
    return value === null ? [] : [[variable, value]]
  })
  return {
    PGHOST: host,
    PGPORT: String(port),
    ...(user && { PGUSER: user }),
    ...(database && { PGDATABASE: database }),
    ...(password && { PGPASSWORD: password }),
    ...Object.fromEntries(rest),
  }
}
