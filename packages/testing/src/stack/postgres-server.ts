import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { runToEnd } from './server-process.ts'

/** A separate PostgreSQL cluster, for tests that crash it. */
export interface StackPostgres extends AsyncDisposable {
  readonly url: string
  /** Stops it at once, like a power cut: uncommitted data is lost. */
  crash(): Promise<void>
  start(): Promise<void>
}

const versions = '/usr/lib/postgresql'
// PostgreSQL refuses to run as root; `npm run services` runs it as the same user.
export const serviceUser = 'lathe-dev'

/** Creates a cluster in the folder and starts it with PostgreSQL's defaults, except for the given settings. */
export async function startPostgres(
  folder: string,
  given: Readonly<Record<string, string | number>> = { max_connections: 200 },
): Promise<StackPostgres> {
  const port = await findFreePort()
  const home = join(folder, 'postgres')
  const data = join(home, 'data')
  const log = join(home, 'log')
  const programs = await findPrograms()
  const run = (program: string, ...args: string[]) => runToEnd([...asService(), join(programs, program), ...args])
  await mkdir(home)
  if (isRoot()) await runToEnd(['chown', `${serviceUser}:`, home])
  await run('initdb', '-D', data, '-U', 'lathe', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync')
  await writeFile(join(data, 'postgresql.auto.conf'), settings(port, home, given))
  const start = async () => void (await run('pg_ctl', 'start', '-w', '-t', '60', '-D', data, '-l', log))
  const stop = async (mode: string) => void (await run('pg_ctl', 'stop', '-w', '-t', '60', '-D', data, '-m', mode))
  await start()
  return {
    url: `postgres://lathe@127.0.0.1:${port}/postgres`,
    crash: () => stop('immediate'),
    start,
    // It may have stopped already.
    [Symbol.asyncDispose]: () => stop('immediate').catch(() => {}),
  }
}

function settings(port: number, home: string, given: Readonly<Record<string, string | number>>): string {
  return Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: home,
    timezone: 'UTC',
    ...given,
  })
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('')
}

/** Debian installs the programs outside PATH, in one folder per version. */
async function findPrograms(): Promise<string> {
  const newest = (await readdir(versions)).sort((a, b) => Number(a) - Number(b)).at(-1)
  if (!newest) throw new Error('PostgreSQL is not installed; run: npm run setup')
  return join(versions, newest, 'bin')
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function asService(): readonly string[] {
  return isRoot() ? ['runuser', '-u', serviceUser, '--'] : []
}
