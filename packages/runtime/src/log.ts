import { secretFields } from '@lathe/operations'
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export interface LogOptions {
  readonly level: string
  /** The process: api, worker, scheduler. */
  readonly name: string
  readonly destination?: DestinationStream
}

const hiddenFields = [...secretFields, 'authorization', 'cookie', 'secret', 'token', 'signature', 'apiKey']

/** The log of a process: JSON lines on stdout, secrets taken out by field name. */
export function createLog({ level, name, destination }: LogOptions): Logger {
  const options = {
    level,
    name,
    redact: {
      paths: hiddenFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '***',
    },
    // "level":"info" is what people and collectors search for, not 30.
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A log that says nothing, for tests and tools. */
export const silentLog: Logger = pino({ level: 'silent' })

/** A URL fit for a log: paths stay, the values of query parameters and credentials go. */
export function redactUrl(url: string): string {
  return url.replace(/([?&][^=?&#]*=)[^&#]*/g, '$1***').replace(/\/\/[^/?#@]*@/, '//***@')
}
