import type { Failure } from '@lathe/domain'
import { type Refusals, refusalReader } from '../script-words.ts'
import { bookLimits } from './limits.ts'
import { mailLimits } from './mail-limits.ts'

function limit(what: string): readonly [Failure['code'], string] {
  return ['limit_exceeded', `${what}, which is the limit. Split it and convert the parts.`]
}

function mebibytes(bytes: number): string {
  return `${bytes / 1024 ** 2} MiB`
}

const refusals: Refusals = {
  damaged: ['input_damaged', 'The input is damaged: nothing in it can be read as text.'],
  locked: [
    'input_damaged',
    'The book is protected against copying (DRM), and Lathe does not remove protection. Get a copy without it.',
  ],
  files: limit(`The book holds more than ${bookLimits.entries} files`),
  unpacked: limit(`The book unpacks to more than ${mebibytes(bookLimits.bytes)}`),
  bomb: limit(`The book unpacks to more than ${bookLimits.ratio} times its size`),
  page: limit(`The input is larger than ${mebibytes(bookLimits.page)} as one page with its images`),
  text: limit(`The text is larger than ${mebibytes(bookLimits.text)}`),
  mail: limit(`The message or mailbox is larger than ${mebibytes(mailLimits.bytes)}`),
  deep: ['limit_exceeded', 'The message holds parts within parts, more than about 1,000 levels deep.'],
}

export const readRefusal = refusalReader(refusals)
