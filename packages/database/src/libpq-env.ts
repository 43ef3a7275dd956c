import pg from 'pg'

// Parameters of a connection string that PostgreSQL's own programs read from the environment.
const variables = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
} as const

/**
 * What `pg_dump` and `psql` need in their environment to reach the same database as we do. Arguments of a process can be
 * read by everyone on the machine, its environment only by its own user.
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
