import { didYouMean } from '@lathe/sdk'
import { UsageError } from './exit-codes.ts'
import { optionFlags } from './generated/option-flags.ts'

/** The values of format options on the command line. */
export type GivenOptions = ReadonlyMap<string, string>

/** Removes the flags of format options from the arguments: `--quality 60`, `--quality=60`, `--strip`, `--no-strip`. */
export function takeOptionFlags(
  args: readonly string[],
  ownFlags: ReadonlySet<string>,
): { readonly rest: readonly string[]; readonly given: GivenOptions } {
  const rest: string[] = []
  const given = new Map<string, string>()
  const left = args.values()
  for (const arg of left) {
    const [flag = '', ...value] = arg.split('=')
    const name = flag.startsWith('--') && !ownFlags.has(flag) ? optionName(flag) : undefined
    if (name === undefined && flag.startsWith('--') && flag !== '--' && !ownFlags.has(flag))
      throw unknown(flag, ownFlags)
    if (name !== undefined) given.set(name, value.length > 0 ? value.join('=') : valueAfter(name, flag, left))
    else rest.push(arg)
    // Everything after it is a file.
    if (arg === '--') rest.push(...left)
  }
  return { rest, given }
}

/** The value of a flag without `=`: the next argument, unless the option is a switch. */
function valueAfter(name: string, flag: string, left: Iterator<string>): string {
  if (optionFlags[name] === 'boolean') return flag.startsWith('--no-') ? 'false' : 'true'
  const { done, value } = left.next()
  if (done) throw new UsageError(`${flag} needs a value.`)
  return value
}

function unknown(flag: string, ownFlags: ReadonlySet<string>): UsageError {
  const near = didYouMean(flag, [...ownFlags, ...Object.keys(optionFlags).map(asFlag)])
  return new UsageError(`There is no flag ${flag}.${near} See: lathe --help`)
}

/** The option of a flag; undefined if there is no such option. */
function optionName(flag: string): string | undefined {
  const name = flag.slice(2).replaceAll('-', '_')
  if (name in optionFlags) return name
  const positive = name.startsWith('no_') ? name.slice(3) : ''
  return optionFlags[positive] === 'boolean' ? positive : undefined
}

/** Options as flags, for help and completion. */
export function asFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}
