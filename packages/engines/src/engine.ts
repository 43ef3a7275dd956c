import type { Failure, ProcessingOperation } from '@lathe/domain'
import type { OptionDescriptor } from './option-descriptor.ts'

/** Something an engine can do: one operation on one input format, giving one output format. */
export interface Ability {
  readonly operation: ProcessingOperation
  readonly from: string
  readonly to: string
  readonly options: readonly OptionDescriptor[]
}

/** A file of a task as its engine sees it. */
export interface SourceFile {
  /** Relative to the job folder and named by us: `in-0.jpg`. */
  readonly file: string
  readonly format: string
  readonly size: number
  /** What the owner calls it. It never enters a plan. */
  readonly filename: string
}

/** What a task asks for. */
export interface PlanRequest {
  readonly operation: ProcessingOperation
  readonly sources: readonly SourceFile[]
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Data that survives a trip over a pipe as JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** What one step may use before it is stopped. */
export interface StepLimits {
  readonly timeMs: number
  readonly memoryBytes: number
  readonly outputBytes: number
  /** After so long without progress, a byte written or work on a core it counts as hung. */
  readonly silenceMs?: number
}

/** One run of an engine, as data: a call to a warm runner, or a process of its own. */
export type Step = CallStep | ProcessStep

export interface CallStep {
  readonly kind: 'call'
  readonly runner: 'vips'
  readonly request: JsonObject
  readonly outputs: readonly string[]
  readonly limits: StepLimits
}

export interface ProcessStep {
  readonly kind: 'process'
  readonly program: string
  readonly args: readonly string[]
  readonly outputs: readonly string[]
  readonly limits: StepLimits
}

/** A file the plan promises. */
export interface PlannedOutput {
  readonly file: string
  readonly format: string
  /** Index of the source it comes from; absent where several were made into one. */
  readonly source?: number
}

/** How a task will be done. Engines write plans; only the sandbox runs them. */
export interface Plan {
  readonly kind: 'plan'
  readonly steps: readonly Step[]
  readonly outputs: readonly PlannedOutput[]
  readonly warnings: readonly string[]
}

/** A converter: what it can do, and how it would do it. */
export interface Engine {
  readonly id: string
  readonly abilities: readonly Ability[]
  plan(request: PlanRequest): Plan | Failure
}
