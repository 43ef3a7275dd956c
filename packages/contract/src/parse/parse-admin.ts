import { type DisabledFormat, findDisabled, invalidField } from '@lathe/domain'
import { advertised } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import type { Static } from 'typebox'
import { accountChangeBody, announcementBody, disabledFormatBody, newAccountBody } from '../bodies/admin-bodies.ts'
import { requireEmail } from './parse-auth.ts'
import { readBody } from './read-body.ts'

/** Reads a new account. */
export function parseNewAccount(sent: unknown): Static<typeof newAccountBody> {
  const body = readBody(newAccountBody, sent)
  requireEmail(body.email, 'email')
  return body
}

/** Reads the changes to an account. */
export function parseAccountChange(sent: unknown): Static<typeof accountChangeBody> {
  return readBody(accountChangeBody, sent)
}

/** Reads an announcement; null for none. */
export function parseAnnouncement(sent: unknown): string | null {
  const text = readBody(announcementBody, sent).text?.trim() ?? ''
  return text === '' ? null : text
}

/** Reads what to disable: a format as input or output, or a conversion. Formats may have any of their names. */
export function parseDisabledFormat(sent: unknown): Omit<DisabledFormat, 'id'> {
  const body = readBody(disabledFormatBody, sent)
  const [input, output] = [knownFormat(body.input, 'input'), knownFormat(body.output, 'output')]
  if (input === null && output === null)
    throw invalidField('input', 'is required, unless output is given: a format such as heic.')
  const rule = { input, output, reason: body.reason?.trim() || null }
  if (!advertised.some((ability) => findDisabled([rule], ability))) {
    throw invalidField(input === null ? 'output' : 'input', 'names nothing that this service converts.', 'unsupported')
  }
  return rule
}

function knownFormat(text: string | null | undefined, path: string): string | null {
  if (text == null) return null
  const format = findFormat(text)
  if (!format) throw invalidField(path, 'is not a format that this service knows.', 'unsupported')
  return format.ext
}
