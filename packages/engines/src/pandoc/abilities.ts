import type { Ability } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { dialect, optionsByOutput } from './options.ts'

const outputs = {
  epub: ['pdf', 'html', 'txt', 'docx', 'odt', 'rtf', 'md', 'fb2'],
  fb2: ['pdf', 'html', 'txt', 'docx', 'odt', 'rtf', 'md', 'epub'],
  md: ['pdf', 'html', 'txt', 'docx', 'odt', 'rtf', 'epub'],
} as const

// The same list for the same things, so that it is shown once.
const forText: Readonly<Record<string, readonly OptionDescriptor[]>> = Object.fromEntries(
  Object.entries(optionsByOutput).map(([to, options]) => [to, [...options, dialect]]),
)

/** Everything this engine does. */
export const abilities: readonly Ability[] = Object.entries(outputs).flatMap(([from, targets]) =>
  targets.map((to): Ability => {
    const options = (from === 'md' ? forText : optionsByOutput)[to] ?? []
    return { operation: 'convert', from, to, options }
  }),
)
