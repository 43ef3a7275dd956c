import { ConnectionError, didYouMean, type Operation, operations, RequestError, UnauthorizedError } from '@lathe/sdk'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { asFormat } from './as-format.ts'
import type { BatchFlags, FileOperation } from './batch/process-files.ts'
import { shown } from './batch/reporter.ts'
import type { CaptureFlags } from './commands/capture.ts'
import type { FormatsFlags } from './commands/formats.ts'
import type { ListenFlags } from './commands/listen.ts'
import type { LoginFlags } from './commands/login.ts'
import type { McpFlags } from './commands/mcp.ts'
import type { MergeFlags } from './commands/merge.ts'
import type { WatchFlags } from './commands/watch.ts'
import type { ConnectFlags } from './connect.ts'
import { exitCodes, SignInError, UsageError } from './exit-codes.ts'
import { captureFields } from './generated/option-flags.ts'
import { asFlag, type GivenOptions, takeOptionFlags } from './option-flags.ts'
import { usualOperation } from './option-values.ts'

declare const LATHE_VERSION: string | undefined

const version = typeof LATHE_VERSION === 'string' ? LATHE_VERSION : 'development'

/** Runs a command line and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const stop = new AbortController()
  const interrupt = () => {
    // A second interrupt exits immediately.
    if (stop.signal.aborted) process.exit(exitCodes.interrupted)
    stop.abort(new Error('interrupted'))
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  let code: number = exitCodes.ok
  const end = (given: number) => {
    code = given
  }
  try {
    const { program, ownFlags } = createProgram(stop.signal, end, () => given)
    const { rest, given } = takeOptionFlags(args, ownFlags)
    await program.parseAsync(rest, { from: 'user' })
    return code
  } catch (error) {
    return stop.signal.aborted ? exitCodes.interrupted : complain(error)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

/** Prints an error to stderr and returns its exit code. */
function complain(error: unknown): number {
  // Commander has already printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  const say = (text: string) => process.stderr.write(`lathe: ${shown(text)}\n`)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError) {
    say(message)
    return exitCodes.usage
  }
  if (error instanceof SignInError) {
    say(message)
    return exitCodes.signIn
  }
  if (error instanceof UnauthorizedError) {
    say(`${message} Sign in with: lathe login. Or set LATHE_KEY to an API key.`)
    return exitCodes.signIn
  }
  if (error instanceof RequestError) {
    say([message, ...error.errors.map(({ path, msg }) => `  ${path}: ${msg}`)].join('\n'))
    if (error.requestId) process.stderr.write(`request ${error.requestId}\n`)
    return error.status < 500 && error.status !== 429 ? exitCodes.someFailed : exitCodes.server
  }
  say(message)
  return error instanceof ConnectionError ? exitCodes.server : exitCodes.someFailed
}

const inputForms = 'URLs, folders and lists (@list.txt) work, too; - is stdin'
const missingOutput = 'Set where results go: --output DIR. Inputs are never overwritten.'
const operationNames = operations.join(', ')

function asOperation(name: string): Operation {
  const found = operations.find((operation) => operation === name)
  if (found) return found
  throw new UsageError(`There is no operation ${name}.${didYouMean(name, operations)} There are: ${operationNames}.`)
}

const captureHelp = `\nFields of the operation are flags: ${Object.keys(captureFields).map(asFlag).join(', ')}.`

type Roles = Readonly<Record<string, string>>

function addRole(text: string, others: Roles = {}): Roles {
  const [role = '', ...file] = text.split('=')
  if (file.length === 0) throw new InvalidArgumentError('Write it as role=file, such as overlay=logo.png.')
  return { ...others, [role]: file.join('=') }
}

interface Program {
  readonly program: Command
  /** Flags of the commands themselves, which take precedence over options of formats. */
  readonly ownFlags: ReadonlySet<string>
}

function createProgram(signal: AbortSignal, end: (code: number) => void, givenOptions: () => GivenOptions): Program {
  const program = new Command('lathe')
    .description('Converts files with a Lathe service.')
    .version(version)
    .option('--url <url>', 'URL of the service (LATHE_URL)')
    .option('--key [key]', 'API key (LATHE_KEY)')
    .option('--profile <name>', 'profile saved by `lathe login --profile` (LATHE_PROFILE)')
    .showHelpAfterError('See: lathe --help')
    .exitOverride()
  const service = async () => (await import('./connect.ts')).connect(program.opts<ConnectFlags>())
  const what = (operation: FileOperation['operation'], to?: string): FileOperation => ({
    operation,
    given: givenOptions(),
    ...(to !== undefined && { to }),
  })

  batchFlags(program.command('convert <files...>').description(`convert files; ${inputForms}`))
    .requiredOption('-t, --to <format>', 'format of the results', asFormat)
    .action(async (files: string[], flags: BatchFlags & { to: string }) => {
      const lathe = await service()
      if (isPipe(files))
        return (await import('./commands/pipe.ts')).pipe(lathe, what('convert', flags.to), flags, signal)
      const { processFiles } = await import('./batch/process-files.ts')
      const { findFiles } = await import('./batch/find-files.ts')
      end(await processFiles(lathe, await findFiles(files, flags), what('convert', flags.to), flags, signal))
    })

  batchFlags(program.command('compress <files...>').description(`make files smaller; ${inputForms}`)).action(
    async (files: string[], flags: BatchFlags) => {
      const lathe = await service()
      if (isPipe(files)) return (await import('./commands/pipe.ts')).pipe(lathe, what('compress'), flags, signal)
      if (flags.output === undefined) throw new UsageError(missingOutput)
      const { processFiles } = await import('./batch/process-files.ts')
      const { findFiles } = await import('./batch/find-files.ts')
      end(await processFiles(lathe, await findFiles(files, flags), what('compress'), flags, signal))
    },
  )

  batchFlags(
    program.command('run <operation> <files...>').description(`run any operation: ${operationNames}; ${inputForms}`),
  )
    .option('-t, --to <format>', 'the format of results, where the operation has a choice', asFormat)
    .option('--with <role=file...>', 'a file with a role, such as overlay=logo.png of watermark', addRole)
    .action(async (name: string, files: string[], flags: BatchFlags & { to?: string; with?: Roles }) => {
      const asked = { ...what(asOperation(name), flags.to), ...(flags.with && { beside: flags.with }) }
      const lathe = await service()
      if (isPipe(files)) return (await import('./commands/pipe.ts')).pipe(lathe, asked, flags, signal)
      if (flags.output === undefined && flags.to === undefined) throw new UsageError(missingOutput)
      const { processFiles } = await import('./batch/process-files.ts')
      const { findFiles } = await import('./batch/find-files.ts')
      end(await processFiles(lathe, await findFiles(files, flags), asked, flags, signal))
    })

  program
    .command('merge <files...>')
    .description('merge files into one, in this order')
    .requiredOption('-o, --output <file>', 'the result, such as all.pdf')
    .option('--force', 'replace the result if it exists')
    .option('--json', 'print one JSON object per line')
    .action(async (files: string[], flags: MergeFlags) => {
      const { combine } = await import('./commands/merge.ts')
      end(await combine(await service(), 'merge', { patterns: files, least: 2, given: givenOptions(), flags, signal }))
    })

  program
    .command('archive <files...>')
    .description('pack files into one archive')
    .requiredOption('-o, --output <file>', 'the archive, such as all.zip or all.tar.gz')
    .option('--force', 'replace the archive if it exists')
    .option('--json', 'print one JSON object per line')
    .action(async (files: string[], flags: MergeFlags) => {
      const { combine } = await import('./commands/merge.ts')
      end(
        await combine(await service(), 'archive', { patterns: files, least: 1, given: givenOptions(), flags, signal }),
      )
    })

  program
    .command('capture <url>')
    .description('save a web page as a PDF, an image or an MHTML file')
    .requiredOption('-o, --output <file>', 'the result; its extension is the format: pdf, png, jpg or mhtml')
    .option('--force', 'replace the result if it exists')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', captureHelp)
    .action(async (url: string, flags: CaptureFlags) => {
      const { capture } = await import('./commands/capture.ts')
      end(await capture(await service(), url, { given: givenOptions(), flags, signal }))
    })

  batchFlags(program.command('watch <folder>').description('convert files that are added to a folder'))
    .requiredOption('-t, --to <format>', 'format of the results', asFormat)
    .option('--settle <seconds>', 'how long a file must stay unchanged before it is converted', asNumber, 2)
    .option('--once', 'convert the files in the folder, and exit')
    .option('--delete-after', 'delete each file once its results are saved')
    .action(async (folder: string, flags: WatchFlags & { to: string }) => {
      const { watch } = await import('./commands/watch.ts')
      end(await watch(await service(), folder, what('convert', flags.to), flags, signal))
    })

  program
    .command('formats [format]')
    .description('list formats, or those that one can be converted to')
    .option('--to <format>', 'list formats that can be converted to this one')
    .option('--operation <name>', operationNames, asOperation, usualOperation)
    .option('--json', 'print one JSON object per line')
    .action(async (format: string | undefined, flags: FormatsFlags) => {
      const { showFormats } = await import('./commands/formats.ts')
      await showFormats(await service(), format, flags)
    })
  program
    .command('options <from> [to]')
    .description('list the options for a pair of formats')
    .option('--operation <name>', operationNames, asOperation, usualOperation)
    .option('--json', 'print one JSON object per line')
    .action(async (from: string, to: string | undefined, flags: FormatsFlags) => {
      const { showOptions } = await import('./commands/formats.ts')
      await showOptions(await service(), from, to, flags)
    })

  const jobs = program.command('jobs').description('list, show, watch or cancel jobs')
  jobs
    .command('list')
    .description('list the newest jobs')
    .option('--status <status>', 'created, processing, completed or failed')
    .option('--tag <text>', 'only jobs with this tag')
    .option('--limit <number>', 'number of jobs', asNumber, 20)
    .option('--json', 'print one JSON object per line')
    .action(async (flags) => (await import('./commands/jobs.ts')).listJobs(await service(), flags))
  jobs
    .command('show <id>')
    .description('show a job and its tasks')
    .option('--json', 'as JSON')
    .action(async (id: string, flags) => (await import('./commands/jobs.ts')).showJob(await service(), id, flags))
  jobs
    .command('watch <id>')
    .description('follow a job to its end')
    .option('--json', 'print one JSON object per line')
    .action(async (id: string, flags) =>
      end(await (await import('./commands/jobs.ts')).watchJob(await service(), id, flags, signal)),
    )
  jobs
    .command('cancel <id>')
    .description('cancel the tasks that have not ended')
    .action(async (id: string) => (await import('./commands/jobs.ts')).cancelJob(await service(), id))

  program
    .command('usage')
    .description('show the usage of this month')
    .option('--json', 'as JSON')
    .action(async (flags) => (await import('./commands/account.ts')).showUsage(await service(), flags))
  program
    .command('presets')
    .description('list presets; use one with convert --preset ID')
    .option('--json', 'print one JSON object per line')
    .action(async (flags) => (await import('./commands/account.ts')).showPresets(await service(), flags))
  program
    .command('webhooks')
    .description('test webhooks')
    .command('listen')
    .description('post events to a URL on this machine, signed like webhooks')
    .requiredOption('--forward-to <url>', 'such as http://localhost:3000/hook')
    .option('--secret <secret>', 'secret to sign them with; a new one by default')
    .option('--json', 'print one JSON object per line')
    .action(async (flags: ListenFlags) => (await import('./commands/listen.ts')).listen(await service(), flags, signal))

  program
    .command('mcp')
    .description('serve tools for language models over stdin and stdout')
    .option('--allow <folders...>', 'folders that files may be read from', [process.cwd()])
    .action(async (flags: McpFlags) =>
      (await import('./commands/mcp.ts')).serveMcp(await service(), flags, version, signal),
    )
  program
    .command('login')
    .description('sign in through the browser, or with --key and an API key, and save the URL and the key')
    .option('--no-browser', 'show the URL without opening a browser')
    .addHelpText(
      'after',
      '\n--key without a value asks for the key, or reads it from stdin if stdin is not a terminal.',
    )
    .action(async (flags: LoginFlags) =>
      (await import('./commands/login.ts')).logIn(program.opts<ConnectFlags>(), flags, signal),
    )
  program
    .command('doctor')
    .description('check the configuration and the connection')
    .action(async () => {
      const isWell = await (await import('./commands/account.ts')).examine(program.opts<ConnectFlags>())
      end(isWell ? exitCodes.ok : exitCodes.someFailed)
    })
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .action(async (shell: string) => {
      process.stdout.write((await import('./commands/completion.ts')).completionScript(program, shell))
    })

  const all = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]
  const ownFlags = new Set(all.flatMap((command) => command.options.flatMap(({ long }) => (long ? [long] : []))))
  for (const command of program.commands) command.allowExcessArguments(false)
  return { program, ownFlags: new Set([...ownFlags, '--help', '--version']) }
}

function batchFlags(command: Command): Command {
  return command
    .option('-o, --output <folder>', 'folder for results (default: next to each file)')
    .option('--keep-tree', 'keep folders below --output')
    .option('-r, --recursive', 'match patterns in subfolders too, and keep the folders below --output')
    .option('--skip-existing', 'skip files whose result exists')
    .option('--force', 'overwrite existing results, but never an input')
    .option('--dry-run', 'only print what would be done')
    .option('--concurrency <number>', 'number of files at once', asNumber, 4)
    .option('--from <format>', 'format of the files, if their names do not tell', asFormat)
    .option('--preset <id>', 'id of a preset with options')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nOptions of formats are flags: --quality 80. See: lathe options jpg webp')
}

function isPipe(files: readonly string[]): boolean {
  if (!files.includes('-')) return false
  if (files.length > 1) throw new UsageError('- is stdin, and stands alone.')
  return true
}

function asNumber(text: string): number {
  const value = Number(text)
  if (text === '' || !Number.isInteger(value) || value < 1 || value > 10_000)
    throw new InvalidArgumentError('It is a whole number.')
  return value
}
