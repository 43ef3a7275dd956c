import type { Job } from '@lathe/contract'

/** What the list of jobs is narrowed by, and which page of it is shown: all of it is in the address of the page. */
export interface JobFilter {
  readonly status?: Job['status']
  readonly tag?: string
  readonly span?: Span
  readonly after?: string
  readonly before?: string
}

const minuteMs = 60_000

/** How far back the list goes; without one it is the 24 hours that records are kept. */
export const spanMs = { '15m': 15 * minuteMs, '1h': 60 * minuteMs, '6h': 360 * minuteMs } as const

export type Span = keyof typeof spanMs
export const spans = Object.keys(spanMs) as Span[]

// Of the contract only types are loaded, so they stand here again; the compiler compares.
const byStatus: Readonly<Record<Job['status'], true>> = {
  created: true,
  processing: true,
  completed: true,
  failed: true,
}
export const jobStatuses = Object.keys(byStatus) as Job['status'][]

/** Reads the filter from the address of the page; what has no meaning is left out. */
export function parseJobFilter(search: Readonly<Record<string, unknown>>): JobFilter {
  const status = jobStatuses.find((one) => one === search.status)
  const span = spans.find((one) => one === search.span)
  const [tag, after, before] = [search.tag, search.after, search.before].map((one) =>
    one === undefined || one === '' ? undefined : String(one),
  )
  return {
    ...(status && { status }),
    ...(tag !== undefined && { tag }),
    ...(span && { span }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && after === undefined && { before }),
  }
}

/** Whether it leaves anything out. */
export function isNarrowed({ status, tag, span }: JobFilter): boolean {
  return status !== undefined || tag !== undefined || span !== undefined
}
