import type { Readable } from 'node:stream'
import type { Database } from '@lathe/database'
import type { ExportedFile, Failure, ObjectId } from '@lathe/domain'
import type { BodyOf, Hidden, Operation } from '@lathe/operations'
import type { OutboundDoors } from '@lathe/outbound'
import type { Secret } from '@lathe/runtime'
import type { ConnectorsConfig } from './config.ts'
import type { BrowserRoom } from './webpage/browser-room.ts'

/** One kind of place that files come from or go to. Opened once, when a worker starts. */
export type Connector = (parts: ConnectorParts) => {
  readonly importers?: readonly Importer[]
  readonly exporters?: readonly Exporter[]
}

/** What connectors are made of. */
export interface ConnectorParts {
  /** Each connector goes through the door of its own. */
  readonly outbound: Pick<OutboundDoors, 'for'>
  readonly browser: BrowserRoom
  readonly database: Pick<Database, 'pool'>
  readonly settings: ConnectorsConfig
}

/** What an import may do with its task. */
export interface ImportContext {
  readonly signal: AbortSignal
  readonly ownerId: ObjectId
  /** Bytes a file may have. */
  readonly maxSize: number
  /** Streams one file to the task's storage; may be called several times. */
  save(filename: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Content that came inside the request and was kept at creation. */
  openStaged(): Promise<AsyncIterable<Uint8Array>>
  /** Says what the owner should know of files that are not all they could be. */
  warn(text: string): void
  /** Tells the share done, 0 to 1. */
  progress(share: number): void
}

/** A file to be handed out. */
export interface ExportFile {
  readonly filename: string
  readonly format: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
  /** Its bytes, from the given one on: a broken transfer may be taken up again. */
  open(from?: number): Promise<Readable>
}

/** What an export may do with its task. */
export interface ExportContext {
  readonly signal: AbortSignal
  readonly taskId: ObjectId
  readonly ownerId: ObjectId
  readonly files: readonly ExportFile[]
  /** Tells the share done, 0 to 1. */
  progress(share: number): void
}

/** Brings the files of one import operation. What a source does wrong is a Failure; what storage does wrong is thrown. */
export interface Importer {
  readonly operation: Operation
  run(payload: Stored, context: ImportContext): Promise<Failure | undefined>
}

/** Puts a task's files where their owner wants them: each whole or not at all. What a target does wrong is a Failure. */
export interface Exporter {
  readonly operation: Operation
  run(payload: Stored, context: ExportContext): Promise<readonly ExportedFile[] | Failure>
}

/** A task's payload as it is stored. The API stores only what fits the operation's schema. */
type Stored = Readonly<Record<string, unknown>>

/** The same, as the operation's schema describes it; what is shown masked arrives as a secret. */
export type Asked<Name extends Operation> = {
  readonly [Field in keyof BodyOf<Name>]: BodyOf<Name>[Field] extends infer Value
    ? Value extends Hidden
      ? string | Secret
      : Value
    : never
}

export function defineImporter<Name extends Operation>(importer: {
  readonly operation: Name
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
