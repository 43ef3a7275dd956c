import type { Exporter, Importer } from '@lathe/connectors'
import type { DisabledFormats } from '@lathe/database'
import type { Operation } from '@lathe/operations'
import type { WorkerDesk } from '@lathe/orchestrator'
import type { ProgressBoard } from '@lathe/queue'
import type { Clock, Logger, Metrics, Sealer, Traces } from '@lathe/runtime'
import type { EngineHost } from '@lathe/sandbox'
import type { WorkConfig } from './config.ts'
import type { EngineNotes } from './engine-notes.ts'
import type { EnginePermits } from './engine-permits.ts'
import type { EngineSlots } from './engine-slots.ts'
import type { WorkStore } from './patient-store.ts'
import type { Pauses } from './pauses.ts'
import type { ScratchWatch } from './scratch-watch.ts'
import type { SlowOwners } from './slow-owners.ts'

/** Everything the worker needs to run tasks. */
export interface Services {
  readonly work: WorkConfig
  readonly desk: WorkerDesk
  /** The formats that administrators have disabled. */
  readonly disabledFormats: DisabledFormats
  readonly store: WorkStore
  readonly scratch: Pick<ScratchWatch, 'isFull' | 'freeBytes' | 'totalBytes'>
  readonly importers: ReadonlyMap<Operation, Importer>
  readonly exporters: ReadonlyMap<Operation, Exporter>
  readonly sandbox: Omit<EngineHost, 'runners'>
  /** Decides which tasks that need an engine may be claimed. */
  readonly engineSlots: EngineSlots
  /** Decides which engines may run now. */
  readonly enginePermits: EnginePermits
  readonly slowOwners: SlowOwners
  readonly engineNotes: Pick<EngineNotes, 'watch'>
  readonly runners: EngineHost['runners']
  /** Decrypts the secrets of a task's payload. */
  readonly sealer: Sealer
  readonly progress: Pick<ProgressBoard, 'tell'>
  readonly clock: Clock
  readonly pauses: Pick<Pauses, 'has'>
  readonly metrics: Metrics
  readonly traces: Traces
  readonly log: Logger
}
