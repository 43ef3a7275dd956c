import { invalidField, type JobStatus, jobStatuses, type TaskStatus, taskStatuses } from '@lathe/domain'
import { normalizeId } from '../schemas/common.ts'
import {
  enumValue,
  includeValues,
  type Paging,
  parsePaging,
  type RawQuery,
  singleValue,
  timeValue,
} from './raw-query.ts'

/** What a list of tasks is filtered by. */
export interface ListTasksQuery extends Paging {
  readonly status?: TaskStatus
  /** Any text: an operation nobody knows matches nothing. */
  readonly operation?: string
  readonly job?: string
}

/** What a list of jobs is filtered by. */
export interface ListJobsQuery extends Paging {
  readonly status?: JobStatus
  readonly tag?: string
  readonly from?: Date
  readonly to?: Date
  readonly includeTasks: boolean
}

/** What a single task is shown with. */
export interface ShowTaskQuery {
  readonly includeJob: boolean
}

/** Reads the query of the list of tasks. */
export function parseListTasksQuery(raw: RawQuery): ListTasksQuery {
  const status = enumValue(raw, 'status', taskStatuses)
  const operation = singleValue(raw, 'operation')
  const jobText = singleValue(raw, 'job')
  const job = jobText === undefined ? undefined : parseId(jobText, 'job')
  return {
    ...parsePaging(raw),
    ...(status !== undefined && { status }),
    ...(operation !== undefined && { operation }),
    ...(job !== undefined && { job }),
  }
}

/** Reads the query of the list of jobs. */
export function parseListJobsQuery(raw: RawQuery): ListJobsQuery {
  const status = enumValue(raw, 'status', jobStatuses)
  const tag = singleValue(raw, 'tag')
  const [from, to] = [timeValue(raw, 'from'), timeValue(raw, 'to')]
  return {
    ...parsePaging(raw),
    ...(status !== undefined && { status }),
    ...(tag !== undefined && { tag }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    includeTasks: includeValues(raw, ['tasks']).has('tasks'),
  }
}

/** What a list of deliveries is filtered by. */
export interface ListDeliveriesQuery extends Paging {
  readonly status?: (typeof deliveryStatuses)[number]
}

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** Reads the query of the list of deliveries. */
export function parseListDeliveriesQuery(raw: RawQuery): ListDeliveriesQuery {
  const status = enumValue(raw, 'status', deliveryStatuses)
  return { ...parsePaging(raw), ...(status !== undefined && { status }) }
}

/** Reads the query of the list of webhooks. */
export function parseListWebhooksQuery(raw: RawQuery): Paging {
  return parsePaging(raw)
}

/** Reads the query of the list of presets. */
export function parseListPresetsQuery(raw: RawQuery): Paging {
  return parsePaging(raw)
}

/** Reads the query of a single task. `payload` is always there, so asking for it is harmless. */
export function parseShowTaskQuery(raw: RawQuery): ShowTaskQuery {
  return { includeJob: includeValues(raw, ['payload', 'job']).has('job') }
}

/** Reads an id of a path or query: 24 hex digits in any case. */
export function parseId(text: string, path: string): string {
  const id = normalizeId(text)
  if (id === undefined) throw invalidField(path, 'must be an id: 24 hexadecimal digits.')
  return id
}

/** Reads the query of a revocation: whether the links of the account stay valid. */
export function parseRevokeKeyQuery(raw: RawQuery): { readonly keepLinks: boolean } {
  return { keepLinks: enumValue(raw, 'keep_links', ['true', 'false'] as const) === 'true' }
}
