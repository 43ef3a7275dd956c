import { findFormat } from './formats.ts'
import { adviceFor, findRecognised } from './recognised.ts'

// Names that take no article: "This is MP3 audio", but "This is a Word document".
const uncountable =
  /(?:audio|video|text|data|values|source|music|graphics|coding|codec|interchange|interleave|postscript|format|specification)$/i
// Abbreviations that are spelled out and begin with a vowel sound: an XML document, an X pixmap.
const spelledWithVowel = /^[AEFHILMNORSX](?=[A-Z0-9]*\b)/
const spokenWithVowel = /^[aeiou]/i
const exceptions = /^(?:RAR|STEP|OneNote|Unix|Universal)\b/
// Words that are capitalized only because they begin a name in the table.
const ordinary = /^(?:Plain|Comma|Web|Email|Mailbox|Camera|Multi-page|Animated|Portable \w+map)\b/

/** A format in words, as in "a Word document (docx)"; undefined for an unknown format. */
export function describeFormat(ext: string): string | undefined {
  const known = findFormat(ext) ?? findRecognised(ext)
  if (known === undefined) return undefined
  const name = ordinary.test(known.name) ? known.name.charAt(0).toLowerCase() + known.name.slice(1) : known.name
  if (uncountable.test(name)) return `${name} (${known.ext})`
  const hasVowel = (spelledWithVowel.test(name) || spokenWithVowel.test(name)) && !exceptions.test(name)
  return `${hasVowel ? 'an' : 'a'} ${name} (${known.ext})`
}

/** The extensions of a file: detected, from its name, and declared. The declaration takes precedence over the name. */
export interface ReportedFormat {
  readonly ext: string
  readonly named?: string | undefined
  readonly declared?: string | undefined
}

/** "This file is named .doc but is an Outlook message (msg)", or without the name if it matches. */
export function nameFormat({ ext, named = '', declared = '' }: ReportedFormat, verb = 'is'): string {
  const [known, statedAs, namedAs] = [ext, declared, named].map((one) => findFormat(one) ?? findRecognised(one))
  const what = describeFormat(ext) ?? 'a file of unknown format'
  const called = statedAs ?? namedAs
  if (called === undefined || called === known) return `This ${verb} ${what}`
  const how = statedAs === undefined ? `named .${called.ext}` : `declared as ${called.ext}`
  return `This file is ${how} but ${verb} ${what}`
}

/** The error text for a file whose bytes do not match the format that it claims to be. */
export function explainMisnamed({ ext, ...called }: Partial<ReportedFormat>): string {
  const advice = 'Check that it opens, then import it again.'
  if (ext !== undefined) return `${nameFormat({ ext, ...called }, 'looks like')}. ${advice}`
  const { ext: claimed } = findFormat(called.declared ?? '') ?? findFormat(called.named ?? '') ?? { ext: '' }
  const how = called.declared === undefined ? `named .${claimed}` : `declared as ${claimed}`
  return `This file is ${how} but its content is neither that nor any other format Lathe knows. ${advice}`
}

/** The error text for a file whose format no engine accepts, with advice on what to do. */
export function explainUnsupported(reported: ReportedFormat, verb = 'convert'): string {
  const advice = adviceFor(reported.ext)
  return `${nameFormat(reported)}, which Lathe cannot ${verb}${advice === '' ? '.' : ` yet. ${advice}`}`
}
