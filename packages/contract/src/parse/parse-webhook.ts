import { type FieldError, type StoredEventType, storedEventTypes } from '@lathe/domain'
import type { Static, TObject } from 'typebox'
import { webhookBody, webhookChangeBody } from '../bodies/webhook-bodies.ts'
import { type Body, isBody } from './check-fields.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'

/** A webhook as a valid request describes it. Does not tell whether its URL can be reached. */
export interface ParsedWebhook {
  readonly url: string
  readonly events: readonly StoredEventType[]
  readonly description: string | null
  readonly enabled: boolean
}

/** Returns what is wrong with a URL, if anything. */
export type CheckAddress = (url: string) => string | undefined

/** Reads the body of a new webhook, or throws a Problem that names every faulty field. */
export function parseWebhook(body: unknown, checkAddress: CheckAddress): ParsedWebhook {
  const given = readFields(webhookBody, body, checkAddress)
  const { url, events = storedEventTypes, description = null, enabled = true } = given
  return { url, events: inOrder(events), description, enabled }
}

/** Reads the changes to a webhook; a missing body changes nothing. */
export function parseWebhookChange(body: unknown = {}, checkAddress: CheckAddress): Partial<ParsedWebhook> {
  const given = readFields(webhookChangeBody, body, checkAddress)
  // In a change, an empty description removes it.
  const isCleared = isBody(body) && (body.description === null || body.description === '')
  return {
    ...given,
    ...(isCleared && { description: null }),
    ...(given.events && { events: inOrder(given.events) }),
  }
}

function readFields<T extends TObject>(schema: T, sent: unknown, checkAddress: CheckAddress): Static<T> {
  const body = readBody(schema, sent)
  refuse(checkUrl('url', (body as Body).url, checkAddress))
  return body
}

/** The errors in a webhook URL. */
export function checkUrl(path: string, url: unknown, checkAddress: CheckAddress): FieldError[] {
  const fault = typeof url === 'string' ? checkAddress(url) : undefined
  return fault === undefined ? [] : [{ path, msg: fault }]
}

/** Each event once, in the order of the vocabulary. */
function inOrder(events: readonly StoredEventType[]): readonly StoredEventType[] {
  return storedEventTypes.filter((type) => events.includes(type))
}
