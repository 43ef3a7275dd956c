import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'
import { refusalReader } from '../script-words.ts'
import { metadataLimits } from './limits.ts'

const MiB = 1024 ** 2

/** What it means that `read.py` ended with 3 and a word; other errors of Python are ours. */
export const readRefusal = refusalReader({
  damaged: ['input_damaged'],
  sealed: ['input_encrypted', 'The document is protected by a password. Save it without one, then import it again.'],
  locked: ['input_encrypted'],
  large: [
    'limit_exceeded',
    `The metadata takes more than ${metadataLimits.bytes / MiB} MiB as JSON, which is the limit.`,
  ],
})

/** Why metadata is not written into some files of a format. */
export const notWritable =
  'The metadata of this file cannot be written. Save the file again with other software, then try again.'

/** Why a file is not handed out from which something could not be removed. */
export const notRemovable =
  'Some metadata of this file cannot be removed. Convert it to another format instead: most conversions leave metadata out.'

/** What an exit of ExifTool means that was to write. It ends with 1 where it cannot read or write the file. */
export function readWriteExit({ code, stderr }: StepExit): Failure | undefined {
  if (code !== 1) return undefined
  const detail = `exiftool: exit ${code}\n${stderr.slice(-2000)}`
  if (/password|encrypt/i.test(stderr)) return failure('input_encrypted', { detail })
  if (/can't (?:currently )?write|not (?:yet )?supported/i.test(stderr)) {
    return failure('unsupported', { text: notWritable, detail })
  }
  return failure('input_damaged', { detail })
}
