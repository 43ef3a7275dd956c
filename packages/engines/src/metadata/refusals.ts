import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'
import { refusalReader } from '../script-words.ts'
import { metadataLimits } from './limits.ts'

const MiB = 1024 ** 2

/** Interprets exit code 3 and a word from `read.py`. Other Python errors are bugs in Lathe. */
export const readRefusal = refusalReader({
  damaged: ['input_damaged'],
  sealed: ['input_encrypted', 'The document is protected by a password. Save it without one, then import it again.'],
  locked: ['input_encrypted'],
  large: [
    'limit_exceeded',
    `The metadata takes more than ${metadataLimits.bytes / MiB} MiB as JSON, which is the limit.`,
  ],
})

/** The failure text for files whose metadata cannot be written. */
export const notWritable =
  'The metadata of this file cannot be written. Save the file again with other software, then try again.'

/** The failure text if some metadata cannot be removed. Such a file is not returned. */
export const notRemovable =
  'Some metadata of this file cannot be removed. Convert it to another format instead: most conversions leave metadata out.'

/** Interprets an exit of ExifTool after writing. It exits with 1 if it cannot read or write the file. */
export function readWriteExit({ code, stderr }: StepExit): Failure | undefined {
  if (code !== 1) return undefined
  const detail = `exiftool: exit ${code}\n${stderr.slice(-2000)}`
  if (/password|encrypt/i.test(stderr)) return failure('input_encrypted', { detail })
  if (/can't (?:currently )?write|not (?:yet )?supported/i.test(stderr)) {
    return failure('unsupported', { text: notWritable, detail })
  }
  return failure('input_damaged', { detail })
}
