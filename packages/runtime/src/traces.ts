import { createHash } from 'node:crypto'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A part of the work on a request or task, with its beginning and end. */
export interface Span {
  /** What others need to go on with the trace, in the form of the W3C header; null if nothing is recorded. */
  readonly traceParent: string | null
  /** Begins a part of this part. */
  child(name: string, attributes?: SpanAttributes): Span
  set(attributes: SpanAttributes): void
  /** Ends it; `failure` says why it went wrong, in one word. */
  end(failure?: string): void
}

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Other spans this one has to do with; what is no trace context is left out. */
  readonly links?: readonly (string | null | undefined)[]
  /** When it began, if not now. */
  readonly startedAt?: Date
  /** Its own id, where others must be able to name it without having been told. */
  readonly spanId?: string
}

/** Where spans are recorded, if they are. */
export interface Traces extends AsyncDisposable {
  /** Without a collector nothing is recorded, and whoever would have to look something up can spare it. */
  readonly isOn: boolean
  /** Begins a trace. */
  begin(name: string, options?: SpanOptions): Span
  /** Goes on with a trace that another process began; records nothing where there is none. */
  resume(traceParent: string | null | undefined, name: string, options?: SpanOptions): Span
}

/** Stands for every span that is not recorded. */
export const noSpan: Span = { traceParent: null, child: () => noSpan, set() {}, end() {} }

/** Records nothing and costs nothing. */
export const noTraces: Traces = {
  isOn: false,
  begin: () => noSpan,
  resume: () => noSpan,
  async [Symbol.asyncDispose]() {},
}

/** Does some work as a part of a span. */
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

/** Reads a W3C `traceparent`. Undefined: it is none, or its trace is not recorded. */
export function parseTraceParent(text: string | null | undefined): TraceContext | undefined {
  const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f][13579bdf]$/.exec(text ?? '')
  const [, traceId = '', spanId = ''] = found ?? []
  return found && !/^0*$/.test(traceId) && !/^0*$/.test(spanId) ? { traceId, spanId } : undefined
}

export function formatTraceParent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`
}

/** The id of the span of an attempt at a task: the next attempt can name it, although its worker may have died. */
export function attemptSpanId(taskId: string, attempt: number): string {
  return createHash('sha256').update(`${taskId}/${attempt}`).digest('hex').slice(0, 16)
}
