/** What an operator does by hand: `npm run admin -- <command>`. See `npm run admin -- help`. */
import { parseArgs } from 'node:util'
import { createDatabase, databaseConfig, databaseEnv, sqlState } from '@lathe/database'
import { readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { AdminError } from './admin/admin-error.ts'
import { commands, type Flags } from './admin/commands.ts'
import { createAdminContext } from './admin/context.ts'
import { type InitFlags, initInstallation } from './admin/init.ts'
import { devEnv } from './dev-env.ts'

const help = `npm run admin -- <command> [flags]

  init        --host <name> [--into <folder>] [--registry <host/path>]
                                                write an installation for Docker Compose, with new secrets
  init        --upgrade [--into <folder>]       replace its files by those of this release; secrets stay
  migrate                                       bring the database to the newest schema
  backup      --into <folder>                   write the whole record into a new folder; the service goes on meanwhile
  restore     --from <folder> [--replace]       put a backup into an empty database; --replace deletes what is there
  create-user --name <name> [--slots <n>]       add a user; with --with-key also its first API key
  create-user --name <name> --email <address> [--admin]
                                                add a user who signs in, with a new password
  setup-link                                    print the link that makes the first administrator
  reset-password --email <address>              give a user a new password and end its sessions
  remove-second-factor --email <address>        let a user sign in by password alone, when its app is lost
  set-plan    --user <id> [--slots <n>] [--monthly-minutes <n|none>] [--task-minutes <n|none>]
                                                change what a user may use; also shows it
  create-key  --user <id> [--name <name>] [--scopes a,b]
  list-keys   --user <id>
  revoke-key  --key <id> [--keep-links]         the key stops working within 5 seconds, and the links and upload
                                                forms of its owner at once, unless they are kept
  derive-keys --role <api|scheduler|worker>     print LATHE_KEYS for processes that are not given LATHE_SECRET

  --json       print data instead of text
  --key-only   print nothing but the new key, for scripts

Reads DATABASE_URL and LATHE_SECRET; without them, those of \`npm run dev\`.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    host: { type: 'string' },
    into: { type: 'string' },
    registry: { type: 'string' },
    upgrade: { type: 'boolean' },
    name: { type: 'string' },
    email: { type: 'string' },
    admin: { type: 'boolean' },
    slots: { type: 'string' },
    'monthly-minutes': { type: 'string' },
    'task-minutes': { type: 'string' },
    user: { type: 'string' },
    'keep-links': { type: 'boolean' },
    key: { type: 'string' },
    scopes: { type: 'string' },
    role: { type: 'string' },
    from: { type: 'string' },
    replace: { type: 'boolean' },
    'with-key': { type: 'boolean' },
    'key-only': { type: 'boolean' },
    json: { type: 'boolean' },
  },
})

type AllFlags = Flags & InitFlags & { json?: boolean; 'key-only'?: boolean }

process.exitCode = await main(positionals[0] ?? 'help', values)

async function main(name: string, flags: AllFlags): Promise<number> {
  if (name === 'init') return init(flags)
  const command = commands[name]
  if (!command) {
    console.log(help)
    return name === 'help' ? 0 : 64
  }
  const env = devEnv()
  const { keys, cell } = runtimeConfig(readEnv(runtimeEnv, env))
  const config = databaseConfig(readEnv(databaseEnv, env))
  await using database = createDatabase({ ...config, connections: 2 })
  const publicUrl = env.LATHE_PUBLIC_URL?.replace(/\/+$/, '') || 'http://127.0.0.1:8080'
  const context = createAdminContext({ database, databaseUrl: config.url, keys, publicUrl }, cell)
  try {
    const { data, text } = await command(context, flags)
    if (flags['key-only']) console.log('key' in data ? data.key : '')
    else console.log(flags.json ? JSON.stringify(data) : text)
    return 0
  } catch (error) {
    console.error(explain(error))
    return 1
  }
}

// There is no database yet.
function init(flags: AllFlags): number {
  try {
    const { data, text } = initInstallation(flags)
    console.log(flags.json ? JSON.stringify(data) : text)
    return 0
  } catch (error) {
    console.error(explain(error))
    return 1
  }
}

function explain(error: unknown): string {
  if (error instanceof AdminError) return error.message
  // PostgreSQL's "undefined table".
  if (sqlState(error) === '42P01') return 'The database has no tables yet. Run: npm run admin -- migrate'
  if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') {
    return 'PostgreSQL does not answer. Run: npm run services -- up (or check DATABASE_URL)'
  }
  return String(error)
}
