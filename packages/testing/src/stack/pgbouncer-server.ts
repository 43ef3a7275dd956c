import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { serviceUser } from './postgres-server.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** A pooler in transaction mode: every transaction may get another session of PostgreSQL. */
export interface StackPgBouncer extends ServerProcess {
  /** The same database through the pooler. */
  through(databaseUrl: string): string
}

/** Starts PgBouncer with its defaults, but with few sessions, so that they change often. */
export async function startPgBouncer(folder: string, databaseUrl: string, sessions = 4): Promise<StackPgBouncer> {
  const port = await findFreePort()
  const { hostname, port: serverPort, username } = new URL(databaseUrl)
  const file = join(folder, 'pgbouncer.ini')
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    // Everyone is let in, as the user that the line of the database names.
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: sessions,
    max_client_conn: 500,
  }
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort || 5432} user=${username}`,
      '[pgbouncer]',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  )
  await chmod(file, 0o644)
  const server = await startServer({
    name: 'pgbouncer',
    command: [...asService(), 'pgbouncer', file],
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    logFile: join(folder, 'pgbouncer.log'),
    isReady: (written) => written.includes('process up'),
  })
  return Object.defineProperty(server as StackPgBouncer, 'through', {
    value: (url: string) => {
      const through = new URL(url)
      through.host = `127.0.0.1:${port}`
      return through.href
    },
  })
}

/** PgBouncer refuses to run as root. Another user's process would outlive the test unless it says again that it must not. */
function asService(): readonly string[] {
  if (process.getuid?.() !== 0) return []
  return ['setpriv', `--reuid=${serviceUser}`, `--regid=${serviceUser}`, '--clear-groups', '--pdeathsig=KILL']
}
