import { type Refusals, refusalReader } from '../script-words.ts'
import { extractLimits as limits } from './limits.ts'

const beyond = (what: string) => ['limit_exceeded', what] as const
const count = (number: number) => number.toLocaleString('en')

const refusals: Refusals = {
  damaged: [
    'input_damaged',
    'The archive is damaged or incomplete: nothing in it can be read. Check that it opens, then import it again.',
  ],
  method: [
    'unsupported',
    'The archive is compressed by a method that Lathe cannot read. Pack its files again as zip or 7z.',
  ],
  locked: [
    'input_encrypted',
    'The archive is encrypted. Give the password of a ZIP archive as the option password. Lathe cannot decrypt other archives: pack the files again without a password.',
  ],
  password: ['input_encrypted', 'The option password is not the password of this archive.'],
  entries: beyond(
    `The archive holds more than ${count(limits.entries)} entries, which is the limit. Split it and extract the parts.`,
  ),
  files: beyond(
    `More than ${count(limits.files)} files would be extracted, which is the limit. Choose some of them with the option only.`,
  ),
  names: beyond(
    'The names of the files are longer than 900,000 bytes together, which is the limit. Choose some files with the option only.',
  ),
  bytes: beyond(
    `The files take more than ${limits.bytes / 1024 ** 3} GiB, which is the limit. Choose some of them with the option only.`,
  ),
  bomb: beyond(
    `The archive unpacks to more than ${limits.ratio} times its size, which is the limit. Only attacks unpack to that much.`,
  ),
}

export const readRefusal = refusalReader(refusals)
