import { type Context, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracesConfig } from './config.ts'
import { withDeadline } from './deadline.ts'
import {
  formatTraceParent,
  noSpan,
  parseTraceParent,
  type Span,
  type SpanOptions,
  type TraceContext,
  type Traces,
} from './traces.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

// How long an ending process waits for the collector to accept its last spans.
const lastFlushMs = 3_000
const exportMs = 5_000
const batchMs = 1_000

/**
 * Sends spans to a collector as OTLP in JSON. Spans that it does not accept in time are dropped: no work waits for it.
 */
export function createTraces(service: string, { endpoint, share }: TracesConfig): Traces {
  const ids = createIdGenerator()
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: exportMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `lathe-${service}`, 'service.namespace': 'lathe' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchMs, exportTimeoutMillis: exportMs }),
    ],
  })
  const tracer = provider.getTracer('lathe')

  function start(name: string, parent: Context, options: SpanOptions): Span {
    ids.next = options.spanId
    const otel = tracer.startSpan(
      name,
      {
        kind: options.kind ? kinds[options.kind] : SpanKind.INTERNAL,
        links: toLinks(options.links ?? []),
        ...(options.attributes && { attributes: { ...options.attributes } }),
        ...(options.startedAt && { startTime: options.startedAt }),
      },
      parent,
    )
    ids.next = undefined
    if (!otel.isRecording()) return noSpan
    return {
      traceParent: formatTraceParent(otel.spanContext()),
      child: (part, attributes = {}) => start(part, trace.setSpan(ROOT_CONTEXT, otel), { attributes }),
      set: (attributes) => void otel.setAttributes({ ...attributes }),
      end(failure) {
        if (failure !== undefined) otel.setStatus({ code: SpanStatusCode.ERROR, message: failure })
        otel.end()
      },
    }
  }

  return {
    isOn: true,
    begin: (name, options = {}) => start(name, ROOT_CONTEXT, options),
    resume(traceParent, name, options = {}) {
      const context = parseTraceParent(traceParent)
      return context ? start(name, trace.setSpanContext(ROOT_CONTEXT, toSpanContext(context)), options) : noSpan
    },
    async [Symbol.asyncDispose]() {
      await withDeadline(provider.shutdown(), lastFlushMs).catch(() => {})
    },
  }
}

function toSpanContext(context: TraceContext) {
  return { ...context, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

function toLinks(texts: readonly (string | null | undefined)[]): Link[] {
  return texts.flatMap((text) => {
    const context = parseTraceParent(text)
    return context ? [{ context: toSpanContext(context) }] : []
  })
}

/** Generates random IDs, except for a span whose ID was set just before. */
function createIdGenerator() {
  const random = new RandomIdGenerator()
  return {
    next: undefined as string | undefined,
    generateTraceId: () => random.generateTraceId(),
    generateSpanId(): string {
      return this.next ?? random.generateSpanId()
    },
  }
}
