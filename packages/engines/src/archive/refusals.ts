import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'
import { extractLimits as limits } from './limits.ts'

type Refusal = readonly [Failure['code'], string]

const beyond = (what: string): Refusal => ['limit_exceeded', what]
const count = (number: number) => number.toLocaleString('en')

const words: Readonly<Record<string, Refusal>> = {
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

/** What it means that a script ended with 3 and a word; other errors of Python are ours. */
export function readRefusal({ code, stderr }: StepExit): Failure | undefined {
  const word = /^refused: ([a-z]+)$/m.exec(stderr)?.[1]
  const known = code === 3 && word !== undefined ? words[word] : undefined
  return known && failure(known[0], { text: known[1], detail: stderr.slice(-512) })
}
