import { didYouMean } from '@lathe/sdk'

interface FieldFault {
  readonly path: string
  readonly msg: string
}

const listStart = /(?:one of|Allowed|Available): /
const optionOfTask = /The option (\S{1,64}) ((?:must be|is not an option here\. Use) one of: [^.]{1,8000})\./

/** "Did you mean ...?" for a field whose error lists what is allowed; empty if nothing is similar. */
export function nearestValue({ path, msg }: FieldFault, args: object): string {
  const allowed = allowedIn(msg)
  const name = path.split('.').at(-1) ?? ''
  if (!allowed) return ''
  const isName = msg.startsWith('is unknown') || msg.startsWith('is not an option')
  const given = isName ? name : givenValue(args, name)
  return given === undefined ? '' : didYouMean(given, allowed)
}

/** The same for the message of a task that refused an option once its file was known. */
export function nearestOption(msg: string, args: object): string {
  const [, path, fault] = optionOfTask.exec(msg) ?? []
  return path && fault ? nearestValue({ path, msg: fault }, args) : ''
}

/** The values that a message lists at its end. */
function allowedIn(msg: string): readonly string[] | undefined {
  const start = listStart.exec(msg)
  if (!start) return undefined
  return msg
    .slice(start.index + start[0].length)
    .replace(/\.$/, '')
    .split(', ')
}

function givenValue(args: object, name: string): string | undefined {
  const { options = {}, ...fields } = args as { options?: object }
  const value = ({ ...fields, ...options } as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}
