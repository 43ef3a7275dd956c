import { invalidField } from '@lathe/domain'
import { parseAfter } from '../query/parse-after.ts'
import { normalizeId } from '../schemas/common.ts'

/** A channel of Socket.IO: one job or task, or all events of an account. */
export type Channel =
  | { readonly kind: 'job' | 'task'; readonly id: string }
  | { readonly kind: 'jobs' | 'tasks' | 'account' }

/** Where a subscription starts; defaults to now. */
export interface ChannelStart {
  /** For a job or task: after the event with this number. */
  readonly after?: number
  /** For `jobs`, `tasks` and `account`: from this time on. */
  readonly since?: Date
}

/** Reads the name of a channel. */
export function parseChannel(value: unknown): Channel {
  if (value === 'jobs' || value === 'tasks' || value === 'account') return { kind: value }
  const [, kind, text = ''] = /^(job|task)\.(.*)$/s.exec(typeof value === 'string' ? value : '') ?? []
  if (kind !== 'job' && kind !== 'task') {
    throw invalidField('channel', 'must be "job.<id>", "task.<id>", "jobs", "tasks" or "account".')
  }
  const id = normalizeId(text)
  if (id === undefined) throw invalidField('channel', `must name an id of 24 hexadecimal digits after "${kind}.".`)
  return { kind, id }
}

/** Reads the options of a subscription. */
export function parseChannelStart({ kind }: Channel, value: unknown): ChannelStart {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidField('options', 'must be an object or left out.')
  const known = kind === 'job' || kind === 'task' ? 'after' : 'since'
  const [unknown] = Object.keys(value).filter((name) => name !== known)
  if (unknown !== undefined) throw invalidField(unknown, `is not known for this channel. Allowed: ${known}.`)
  const given: unknown = Object.hasOwn(value, known) ? Reflect.get(value, known) : undefined
  if (given === undefined) return {}
  return known === 'after' ? { after: parseAfter(given, 'after') } : { since: parseMoment(given, 'since') }
}

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** Reads the time up to which a client already has all events. */
export function parseMoment(value: unknown, path: string): Date {
  const moment = new Date(typeof value === 'string' && isoMoment.test(value) ? value : Number.NaN)
  if (Number.isNaN(moment.getTime())) {
    throw invalidField(path, 'must be a time as events carry it in createdAt, such as 2026-01-01T12:00:00.000Z.')
  }
  return moment
}
