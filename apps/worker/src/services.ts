import type { Exporter, Importer } from '@lathe/connectors'
import type { Operation } from '@lathe/domain'
import type { WorkerDesk } from '@lathe/orchestrator'
import type { ProgressBoard } from '@lathe/queue'
import type { Clock, Logger, Metrics, Sealer } from '@lathe/runtime'
import type { Runners, Sandbox } from '@lathe/sandbox'
import type { ObjectStore } from '@lathe/storage'
import type { WorkConfig } from './config.ts'
import type { Turns } from './turns.ts'

/** What the worker works with. */
export interface Services {
  readonly work: WorkConfig
  readonly desk: WorkerDesk
  readonly store: ObjectStore
  readonly importers: ReadonlyMap<Operation, Importer>
  readonly exporters: ReadonlyMap<Operation, Exporter>
  readonly sandbox: Sandbox
  /** Whose engine may run: tasks that fetch or store meanwhile do not keep a core idle. */
  readonly engineTurns: Turns
  readonly runners: Runners
  /** Opens what a task's payload hides. */
  readonly sealer: Sealer
  readonly progress: Pick<ProgressBoard, 'tell'>
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Logger
}
