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

/** The log of a process: JSON lines on stdout, with secrets removed by field name. */
export function createLog({ level, name, destination }: LogOptions): Logger {
  const options = {
    level,
    name,
    redact: {
      paths: hiddenFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '***',
    },
    // People and log collectors search for "level":"info", not for 30.
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A log that writes nothing, for tests and tools. */
export const silentLog: Logger = pino({ level: 'silent' })

/** A URL for logs: keeps the path, removes credentials and the values of query parameters. */
export function redactUrl(url: string): string {
  return url.replace(/([?&][^=?&#]*=)[^&#]*/g, '$1***').replace(/\/\/[^/?#@]*@/, '//***@')
}
