/** Admin commands for operators: `npm run admin -- <command>`. See `npm run admin -- help`. */
import { createDatabase, databaseConfig, databaseEnv, sqlState } from '@lathe/database'
import { readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { Command, CommanderError } from 'commander'
import { AdminError } from './admin/admin-error.ts'
import { type CommandName, commands, type Flags, migrateDatabase, type Outcome } from './admin/commands.ts'
import { createAdminContext } from './admin/context.ts'
import { type InitFlags, initInstallation } from './admin/init.ts'
import { devEnv } from './dev-env.ts'

const wrongUse = 64

const program = new Command('npm run admin --')
  .description('What an operator does by hand.')
  .option('--json', 'print data instead of text')
  .option('--key-only', 'print nothing but the new key, for scripts')
  .configureHelp({ showGlobalOptions: true })
  .addHelpText('after', '\nReads DATABASE_URL and LATHE_SECRET or LATHE_KEYS; without them, those of `npm run dev`.')
  .showHelpAfterError('See: npm run admin -- help')
  .exitOverride()

program
  .command('init')
  .description('write an installation for Docker Compose, with new secrets')
  .option('--host <name>', 'the name people reach it by')
  .option('--into <folder>', 'where to write it')
  .option('--registry <host/path>', 'where its images are')
  .option('--upgrade', 'replace its files by those of this release; secrets stay')
  .option('--rekey', 'derive the keys in its .env again, after a change of its secrets')
  .action((flags: InitFlags) => show(initInstallation(flags)))

program
  .command('migrate')
  .description('bring the database to the newest schema; needs no keys')
  .action(async () => {
    const { url, directUrl } = databaseOf(devEnv())
    show(await migrateDatabase(directUrl ?? url))
  })

describe('backup', 'write the whole record into a new folder; the service keeps running') //
  .option('--into <folder>', 'the new folder')

describe('restore', 'put a backup into an empty database')
  .option('--from <folder>', 'the backup')
  .option('--replace', 'delete what is in the database')

describe('create-user', 'add a user')
  .option('--name <name>')
  .option('--slots <n>', 'how many of its tasks run at once')
  .option('--with-key', 'also make its first API key')
  .option('--email <address>', 'for a user who signs in: it gets a new password')
  .option('--admin', 'the user administers the instance')

describe('setup-link', 'print the link that makes the first administrator')

describe('reset-password', 'give a user a new password and end its sessions') //
  .option('--email <address>')

describe(
  'confirm-email',
  'confirm that an email address belongs to its user, so that OIDC_LINK_BY_EMAIL may link it',
).option('--email <address>')

describe('remove-second-factor', 'let a user sign in by password alone, when its app is lost') //
  .option('--email <address>')

describe('set-plan', 'change what a user may use; also shows it')
  .option('--user <id>')
  .option('--slots <n>', 'how many tasks run at once')
  .option('--monthly-minutes <n>', 'minutes per month in engines, or none for no limit')
  .option('--task-minutes <n>', 'minutes of one task, or none for no limit')
  .option('--storage-bytes <n>', 'bytes of storage, 0 for no limit, or default for STORED_BYTES_PER_OWNER')

describe('create-key', 'make an API key')
  .option('--user <id>')
  .option('--name <name>')
  .option('--scopes <list>', 'with commas between them')

describe('list-keys', 'list the API keys of a user') //
  .option('--user <id>')

describe('revoke-key', 'end an API key within 5 seconds, and at once the links and upload forms of its owner')
  .option('--key <id>')
  .option('--keep-links', 'links and upload forms go on working')

describe('derive-keys', 'print LATHE_KEYS for processes that are not given LATHE_SECRET') //
  .option('--role <api|scheduler|worker>')

process.exitCode = await main()

function databaseOf(env: NodeJS.ProcessEnv) {
  const settings = readEnv(databaseEnv, env)
  const config = databaseConfig(settings)
  const directUrl = settings.DATABASE_DIRECT_URL ?? (config.pooler === 'transaction' ? undefined : config.url)
  return { ...config, directUrl }
}

/** A command that needs the database and keys. */
function describe(name: CommandName, description: string): Command {
  return program
    .command(name)
    .description(description)
    .action(async (flags: Flags) => {
      const env = devEnv()
      const { keys, cell } = runtimeConfig(readEnv(runtimeEnv, env))
      const { directUrl, ...config } = databaseOf(env)
      await using database = createDatabase({ ...config, connections: 2 })
      const publicUrl = env.LATHE_PUBLIC_URL?.replace(/\/+$/, '') || 'http://127.0.0.1:8080'
      const context = createAdminContext(
        { database, databaseUrl: directUrl ?? config.url, directUrl, keys, publicUrl },
        cell,
      )
      show(await commands[name](context, flags))
    })
}

function show({ data, text }: Outcome): void {
  const { json, keyOnly } = program.opts<{ json?: boolean; keyOnly?: boolean }>()
  if (keyOnly) console.log('key' in data ? data.key : '')
  else console.log(json ? JSON.stringify(data) : text)
}

async function main(): Promise<number> {
  try {
    await program.parseAsync()
    return 0
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
    console.error(explain(error))
    return 1
  }
}

function explain(error: unknown): string {
  if (error instanceof AdminError) return error.message
  // PostgreSQL's code for "undefined table".
  if (sqlState(error) === '42P01') return 'The database has no tables yet. Run: npm run admin -- migrate'
  if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') {
    return 'PostgreSQL does not answer. Run: npm run services -- up (or check DATABASE_URL)'
  }
  return String(error)
}
