import type { EngineFamily, Failure } from '@lathe/domain'
import type { Family } from '@lathe/formats'
import type { ProcessingOperation } from '@lathe/operations'
import type { OptionDescriptor } from './option-descriptor.ts'
import type { Tool } from './tool.ts'

/** What abilities name that take files of any kind. */
export const anyFormat = '*'

/** Something an engine can do: one operation on one input format, giving one output format. */
export interface Ability<Option extends OptionDescriptor = OptionDescriptor> {
  readonly operation: ProcessingOperation
  /** A format, or `anyFormat` for operations that take all. */
  readonly from: string
  readonly to: string
  readonly options: readonly Option[]
  /** The family of what does it, where that is not the engine's own. */
  readonly family?: EngineFamily
}

/** A file of a task as its engine sees it. */
export interface SourceFile {
  /** Relative to the job folder and named by us: `in-0.jpg`. */
  readonly file: string
  readonly format: string
  readonly size: number
  /** What the owner calls it. It never enters a plan but as data that a step writes. */
  readonly filename: string
  /** Where it was, for files that came out of another one. */
  readonly folder?: string
}

/** What a task asks for. */
export interface PlanRequest {
  readonly operation: ProcessingOperation
  readonly sources: readonly SourceFile[]
  /** Further files by their role, where the operation has roles. */
  readonly roles?: Readonly<Record<string, SourceFile>>
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

interface CommonStep {
  /** Files it must leave behind; a step without one of them has failed. */
  readonly outputs: readonly string[]
  readonly limits: StepLimits
  /** Which of several files it works on, put before what it warns of or fails with: `File 2`. */
  readonly about?: string
  /** How much of the plan's work it is, beside the other steps'; 1 if not given. */
  readonly weight?: number
  /**
   * Small files to write into the job folder first: the only way for a user's words to reach a process. Passwords
   * go this way too, because every process of a machine can read another's arguments.
   */
  readonly writes?: readonly { readonly file: string; readonly text: string }[]
}

export interface CallStep extends CommonStep {
  readonly kind: 'call'
  /** The tool whose runner it calls, by name. */
  readonly runner: string
  readonly request: JsonObject
  /** What a failure of the call means; undefined: it is the task's. */
  readFailure?(failure: Failure): Failure | Tolerated | undefined
}

export interface ProcessStep extends CommonStep {
  readonly kind: 'process'
  /** The tool whose profile it gets, by name. */
  readonly profile: string
  /** A program of the engine root, by name. */
  readonly program: string
  readonly args: readonly string[]
  /**
   * For Python: modules of ours, by name, in place of a script. They are loaded ahead of the arguments, then the `main` of
   * the first is called.
   */
  readonly modules?: Readonly<Record<string, string>>
  /** Whether the plan's `next` wants to read its standard output, of which 1 MiB is kept. */
  readonly capture?: boolean
  /** Share of this step done, 0 to 1, if a line of its standard output tells. */
  readProgress?(line: string): number | undefined
  /** What an exit other than 0 means; undefined: the converter broke. */
  readExit?(exit: StepExit): Failure | Tolerated | undefined
  /** What the error output of an exit of 0 means: some programs skip what they cannot read and only report it there. */
  readLog?(stderr: string): Failure | Tolerated | undefined
}

/** An end of a step that is no failure of its task. */
export interface Tolerated {
  readonly warning?: string
  /** Whether the plan's `next` should try another way. */
  readonly hasFailed?: boolean
}

/** How a process ended that was not killed. */
export interface StepExit {
  readonly code: number
  /** The last 64 KiB of it. */
  readonly stderr: string
}

/** What the steps of a plan brought to light. */
export interface Findings {
  /** The standard output of each step that captures it; empty for the others. */
  readonly stdout: readonly string[]
  /** What the runner answered to each call; empty for processes. */
  readonly results: readonly JsonObject[]
  /** Which steps failed where `readExit` or `readFailure` says that the plan knows another way; absent if none can have. */
  readonly failed?: readonly boolean[]
  /** Bytes of every plain file in the job folder, by name. */
  readonly sizes: Readonly<Record<string, number>>
}

/** A file the plan promises. */
export interface PlannedOutput {
  /** A name of ours, `out-0.pdf`; with a `*` for a number it stands for one file or more: `out-0-*.png`. */
  readonly file: string
  readonly format: string
  /** Which of several of its source it is, counted from 1; where a `*` stands in the name, that tells. */
  readonly number?: number
  /** What its owner will call it, where the file brings a name of its own; made plain before. */
  readonly name?: string
  /** Where it was, for files that come out of another one; made plain before. */
  readonly folder?: string
  /** Whether it came out of another file, so that its bytes tell its format as they do for an import. */
  readonly isForeign?: boolean
  /** Index of the source it comes from; absent where several were made into one. */
  readonly source?: number
  /** A file of the job folder to hand out instead, with a warning, if this one is not smaller: for compress. */
  readonly unlessSmallerThan?: string
}

/** How a task will be done. Engines write plans; only the sandbox runs them. */
export interface Plan {
  readonly kind: 'plan'
  readonly steps: readonly Step[]
  readonly outputs: readonly PlannedOutput[]
  readonly warnings: readonly string[]
  /**
   * A file of the plan before it that this one begins with, under a name of its own. All other files are removed first, so
   * that nothing an earlier plan left is taken for a result of this one.
   */
  readonly takesOver?: { readonly file: string; readonly as: string }
  /**
   * Plans on from what the steps found: a probe comes first, a target size takes several tries. Where it is given,
   * its plan's outputs count instead of these. Pure like `plan`, and asked at most `maxRounds` times in a row.
   */
  next?(found: Findings): Plan | Failure
}

/** How many plans may follow one another for one task: more is an engine that does not come to an end. */
export const maxRounds = 16

/** What a kind of work takes on one idle core: to begin, and for each MiB of input. */
export interface CostRate {
  readonly startS: number
  readonly perMiBS: number
}

/**
 * Rates of an engine, and by what it reads or writes where that makes the difference. They are estimates, rather too high:
 * a task that is longer than expected holds up quick ones, and one that is shorter only waits a little.
 */
export interface EngineCost extends CostRate {
  /** By family of the input. */
  readonly from?: Partial<Record<Family, CostRate>>
  /** By output format. */
  readonly to?: Readonly<Record<string, CostRate>>
}

/** A converter: what it can do, and how it would do it. */
export interface Engine {
  readonly id: string
  readonly family: EngineFamily
  /** What it brings along to run steps with. Its plans may name tools of other engines too. */
  readonly tools: readonly Tool[]
  /** 1 s, and 1 s for each MiB, if not given. */
  readonly cost?: EngineCost
  readonly abilities: readonly Ability[]
  plan(request: PlanRequest): Plan | Failure
}
