import type { Job } from '@lathe/contract'

/** The filter and page of the list of jobs: all of it is in the URL of the page. */
export interface JobFilter {
  readonly status?: Job['status']
  readonly tag?: string
  readonly span?: Span
  readonly after?: string
  readonly before?: string
}

const minuteMs = 60_000

/** How far back the list goes; by default the 24 hours that records are kept. */
export const spanMs = { '15m': 15 * minuteMs, '1h': 60 * minuteMs, '6h': 360 * minuteMs } as const

export type Span = keyof typeof spanMs
export const spans = Object.keys(spanMs) as Span[]

// Only types are imported from the contract, so the values are repeated here; the compiler checks them.
const byStatus: Readonly<Record<Job['status'], true>> = {
  created: true,
  processing: true,
  completed: true,
  failed: true,
}
export const jobStatuses = Object.keys(byStatus) as Job['status'][]

/** Reads the filter from the URL of the page; invalid values are dropped. */
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

/** Whether it filters anything. */
export function isNarrowed({ status, tag, span }: JobFilter): boolean {
  return status !== undefined || tag !== undefined || span !== undefined
}
