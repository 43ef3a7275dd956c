import type { Readable } from 'node:stream'
import type { Database } from '@lathe/database'
import type { ExportedFile, Failure, ObjectId } from '@lathe/domain'
import type { BodyOf, Fields, Hidden, Operation } from '@lathe/operations'
import type { OutboundDoors } from '@lathe/outbound'
import type { Secret } from '@lathe/runtime'
import type { ConnectorsConfig } from './config.ts'
import type { BrowserRoom } from './webpage/browser-room.ts'

/** One kind of source or target for files. Opened once, when a worker starts. */
export type Connector = (parts: ConnectorParts) => {
  readonly importers?: readonly Importer[]
  readonly exporters?: readonly Exporter[]
}

/** What connectors need. */
export interface ConnectorParts {
  /** Each connector uses the Outbound of its own purpose. */
  readonly outbound: Pick<OutboundDoors, 'for'>
  readonly browser: BrowserRoom
  readonly database: Pick<Database, 'pool'>
  readonly settings: ConnectorsConfig
}

/** The part of its task that an import can use. */
export interface ImportContext {
  readonly signal: AbortSignal
  readonly ownerId: ObjectId
  /** The largest file, in bytes. */
  readonly maxSize: number
  /** Streams one file to the task's storage. May be called several times. */
  save(filename: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Content from the request, which was staged when the task was created. */
  openStaged(): Promise<AsyncIterable<Uint8Array>>
  /** Adds a warning for the owner about incomplete files. */
  warn(text: string): void
  /** Reports the share done, 0 to 1. */
  progress(share: number): void
}

/** A file to export. */
export interface ExportFile {
  readonly filename: string
  readonly format: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
  /** Its bytes from the given position on, so that a broken transfer can resume. */
  open(from?: number): Promise<Readable>
}

/** The part of its task that an export can use. */
export interface ExportContext {
  readonly signal: AbortSignal
  readonly taskId: ObjectId
  readonly ownerId: ObjectId
  readonly files: readonly ExportFile[]
  /** Reports the share done, 0 to 1. */
  progress(share: number): void
}

/** Imports the files of one operation. Errors of the source are returned as a Failure, errors of storage are thrown. */
export interface Importer {
  readonly operation: Operation
  /** Whether an engine fetches the files: it has limits of its own, and may wait for a permit. */
  readonly runsEngine?: boolean
  run(payload: Opened, context: ImportContext): Promise<Failure | undefined>
}

/** Exports a task's files, each completely or not at all. Errors of the target are returned as a Failure. */
export interface Exporter {
  readonly operation: Operation
  run(payload: Opened, context: ExportContext): Promise<readonly ExportedFile[] | Failure>
}

/** A task's payload with its secrets. The API stores only what matches the operation's schema. */
type Opened = Fields<string | Secret>

/** The same with the types of the operation's schema. Fields that are masked in responses arrive as a Secret. */
export type Asked<Name extends Operation> = {
  readonly [Field in keyof BodyOf<Name>]: BodyOf<Name>[Field] extends infer Value
    ? Value extends Hidden
      ? string | Secret
      : Value
    : never
}

export function defineImporter<Name extends Operation>(importer: {
  readonly operation: Name
  readonly runsEngine?: boolean
  run(payload: Asked<Name>, context: ImportContext): Promise<Failure | undefined>
}): Importer {
  return importer
}

export function defineExporter<Name extends Operation>(exporter: {
  readonly operation: Name
  run(payload: Asked<Name>, context: ExportContext): Promise<readonly ExportedFile[] | Failure>
}): Exporter {
  return exporter
}
