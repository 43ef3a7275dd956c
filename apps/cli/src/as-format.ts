import { didYouMean } from '@lathe/sdk'
import { InvalidArgumentError } from 'commander'
import { formats } from './generated/option-flags.ts'

/** Reads a format such as `pdf`, `.PDF` or `tar.gz`. */
export function asFormat(text: string): string {
  const format = text.toLowerCase().replace(/^\./, '')
  if (formats.includes(format)) return format
  const near = didYouMean(format, formats)
  // A newer service may know the format.
  if (near === '') return format
  throw new InvalidArgumentError(`Lathe knows no format ${format}.${near}`)
}
