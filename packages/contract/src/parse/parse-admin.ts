import type { ObjectId } from '@lathe/domain'
import type { Static } from 'typebox'
import { accountChangeBody, announcementBody, newAccountBody } from '../bodies/admin-bodies.ts'
import { limits } from '../limits.ts'
import { parseId } from '../query/parse-list-query.ts'
import { type RawQuery, singleValue } from '../query/raw-query.ts'
import { requireEmail } from './parse-auth.ts'
import { readBody } from './read-body.ts'

/** Which accounts an administrator asks for. */
export interface AccountsQuery {
  readonly search?: string
  readonly before?: ObjectId
}

/** Reads the query of the list of accounts: a part of a name or an address, and where the last page ended. */
export function parseAccountsQuery(raw: RawQuery): AccountsQuery {
  const [search, before] = [singleValue(raw, 'search'), singleValue(raw, 'before')]
  return {
    ...(search !== undefined && { search: search.slice(0, limits.emailChars) }),
    ...(before !== undefined && { before: parseId(before, 'before') }),
  }
}

/** Reads a person to be added. */
export function parseNewAccount(sent: unknown): Static<typeof newAccountBody> {
  const body = readBody(newAccountBody, sent)
  requireEmail(body.email, 'email')
  return body
}

/** Reads what is to be changed of an account. */
export function parseAccountChange(sent: unknown): Static<typeof accountChangeBody> {
  return readBody(accountChangeBody, sent)
}

/** Reads what everybody is to be shown; null for nothing. */
export function parseAnnouncement(sent: unknown): string | null {
  const text = readBody(announcementBody, sent).text?.trim() ?? ''
  return text === '' ? null : text
}
