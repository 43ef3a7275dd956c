import { createHash } from 'node:crypto'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A part of the work on a request or task, with its beginning and end. */
export interface Span {
  /** The context with which others continue the trace, as a W3C header; null if nothing is recorded. */
  readonly traceParent: string | null
  /** Begins a child span. */
  child(name: string, attributes?: SpanAttributes): Span
  set(attributes: SpanAttributes): void
  /** Ends it. `failure` is the reason of a failure, in one word. */
  end(failure?: string): void
}

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Related spans. Values that are not a trace context are ignored. */
  readonly links?: readonly (string | null | undefined)[]
  /** When it began, if not now. */
  readonly startedAt?: Date
  /** Its ID, where others must be able to derive it without having received it. */
  readonly spanId?: string
}

/** Where spans are recorded, if at all. */
export interface Traces extends AsyncDisposable {
  /** False without a collector: nothing is recorded, and callers can skip lookups that only traces need. */
  readonly isOn: boolean
  /** Begins a trace. */
  begin(name: string, options?: SpanOptions): Span
  /** Continues a trace that another process began. Records nothing if there is none. */
  resume(traceParent: string | null | undefined, name: string, options?: SpanOptions): Span
}

/** The placeholder for every span that is not recorded. */
export const noSpan: Span = { traceParent: null, child: () => noSpan, set() {}, end() {} }

/** Records nothing and costs nothing. */
export const noTraces: Traces = {
  isOn: false,
  begin: () => noSpan,
  resume: () => noSpan,
  async [Symbol.asyncDispose]() {},
}

/** Runs some work as a child of a span. */
export async function traced<T>(span: Span, name: string, work: () => Promise<T>): Promise<T> {
  const part = span.child(name)
  try {
    const value = await work()
    part.end()
    return value
  } catch (error) {
    part.end(error instanceof Error ? error.name : 'error')
    throw error
  }
}

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
}

/** Parses a W3C `traceparent`. Returns undefined if it is invalid, or its trace is not recorded. */
export function parseTraceParent(text: string | null | undefined): TraceContext | undefined {
  const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f][13579bdf]$/.exec(text ?? '')
  const [, traceId = '', spanId = ''] = found ?? []
  return found && !/^0*$/.test(traceId) && !/^0*$/.test(spanId) ? { traceId, spanId } : undefined
}

export function formatTraceParent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`
}

/** The span ID of an attempt at a task: the next attempt can derive it, even if the worker has died. */
export function attemptSpanId(taskId: string, attempt: number): string {
  return createHash('sha256').update(`${taskId}/${attempt}`).digest('hex').slice(0, 16)
}
