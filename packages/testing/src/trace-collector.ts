import { answersWith, startReceiver } from './receiver.ts'

/** A span as received by a collector. */
export interface CollectedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly startMs: number
  readonly endMs: number
}

export interface TraceCollector extends AsyncDisposable {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes?: readonly Attribute[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** Receives traces on loopback like an OpenTelemetry collector: OTLP in JSON, posted to `/v1/traces`. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const receiver = await startReceiver(answersWith(200, { 'content-type': 'application/json' }))
  return {
    url: receiver.url,
    get spans() {
      return receiver.received.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => decode(body))
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

function decode(body: string): readonly CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as OtlpBody
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(toRecord(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toSpan(service, span)))
  })
}

function toSpan(service: string, span: OtlpSpan): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, attributes = [], links = [] } = span
  return {
    service,
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    name,
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    attributes: toRecord(attributes),
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
  }
}

function toRecord(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
