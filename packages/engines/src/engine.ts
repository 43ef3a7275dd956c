import type { EngineFamily, Failure } from '@lathe/domain'
import type { Family } from '@lathe/formats'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import type { OptionDescriptor } from './option-descriptor.ts'
import type { Tool } from './tool.ts'

/** The `from` of abilities that accept files of any format. */
export const anyFormat = '*'

/** Something an engine can do: one operation from one input format to one output format. */
export interface Ability<Option extends OptionDescriptor = OptionDescriptor> {
  readonly operation: ProcessingOperation
  /** A format, or `anyFormat` for operations that accept all formats. */
  readonly from: string
  readonly to: string
  readonly options: readonly Option[]
  /** Set if the ability belongs to another family than the engine. */
  readonly family?: EngineFamily
}

/** A file of a task as its engine sees it. */
export interface SourceFile {
  /** Relative to the job folder, with a name that Lathe chose: `in-0.jpg`. */
  readonly file: string
  readonly format: string
  readonly size: number
  /** The owner's name for the file. In a plan it may only appear as data that a step writes. */
  readonly filename: string
  /** The folder it was in, for files extracted from another file. */
  readonly folder?: string
}

/** What a task asks for. */
export interface PlanRequest {
  readonly operation: ProcessingOperation
  readonly sources: readonly SourceFile[]
  /** Additional files by role, for operations that have roles. */
  readonly roles?: Readonly<Record<string, SourceFile>>
  readonly to: string
  readonly options: GivenOptions
}

/** Data that can be sent over a pipe as JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** The limits of one step. A step that exceeds one is stopped. */
export interface StepLimits {
  readonly timeMs: number
  readonly memoryBytes: number
  readonly outputBytes: number
  /** After this time without progress, written bytes or CPU use, the step counts as hung. */
  readonly silenceMs?: number
}

/** One run of an engine, as data: a call to a warm runner, or a separate process. */
export type Step = CallStep | ProcessStep

interface CommonStep {
  /** Files it must create. If one is missing, the step has failed. */
  readonly outputs: readonly string[]
  readonly limits: StepLimits
  /** The file it works on, as a prefix for its warnings and failures: `File 2`. */
  readonly about?: string
  /** Its share of the plan's work, relative to the other steps; 1 if not given. */
  readonly weight?: number
  /**
   * Small files to write into the job folder first. This is the only way for text from a user to reach a process.
   * Passwords are passed this way too, because every process on a machine can read the arguments of others.
   */
  readonly writes?: readonly { readonly file: string; readonly text: string }[]
}

export interface CallStep extends CommonStep {
  readonly kind: 'call'
  /** Name of the tool whose runner it calls. */
  readonly runner: string
  readonly request: JsonObject
  /** Interprets a failed call; undefined: the task fails with this failure. */
  readFailure?(failure: Failure): Failure | Tolerated | undefined
}

export interface ProcessStep extends CommonStep {
  readonly kind: 'process'
  /** Name of the tool whose profile it uses. */
  readonly profile: string
  /** Name of a program in the engine root. */
  readonly program: string
  readonly args: readonly string[]
  /**
   * For Python: Lathe's own modules by name, instead of a script. They are loaded before the arguments, then `main` of
   * the first one is called.
   */
  readonly modules?: Readonly<Record<string, string>>
  /** Whether the plan's `next` reads its standard output. The first 1 MiB is kept. */
  readonly capture?: boolean
  /** The finished share of this step, 0 to 1, if the line of standard output reports it. */
  readProgress?(line: string): number | undefined
  /** Interprets an exit code other than 0; undefined: the converter broke. */
  readExit?(exit: StepExit): Failure | Tolerated | undefined
  /**
   * Interprets the error output after exit code 0: some programs skip what they cannot read and report it only there.
   */
  readLog?(stderr: string): Failure | Tolerated | undefined
}

/** The end of a step that does not fail the task. */
export interface Tolerated {
  readonly warning?: string
  /** Whether the plan's `next` should try another method. */
  readonly hasFailed?: boolean
}

/** How a process ended, unless it was killed. */
export interface StepExit {
  readonly code: number
  /** The last 64 KiB of the error output. */
  readonly stderr: string
}

/** The results of a plan's steps. */
export interface Findings {
  /** The standard output of each step that captures it; empty for the others. */
  readonly stdout: readonly string[]
  /** The runner's answer to each call; empty for processes. */
  readonly results: readonly JsonObject[]
  /** Which steps failed in a way that `readExit` or `readFailure` tolerates with `hasFailed`; absent if no step can. */
  readonly failed?: readonly boolean[]
  /** Size in bytes of every regular file in the job folder, by name. */
  readonly sizes: Readonly<Record<string, number>>
}

/** A file that the plan creates. */
export interface PlannedOutput {
  /** A name that Lathe chose, `out-0.pdf`. A `*` in place of a number matches one or more files: `out-0-*.png`. */
  readonly file: string
  readonly format: string
  /** Its number among the outputs of its source, from 1. If the name has a `*`, the number there counts. */
  readonly number?: number
  /** Its name for the owner, for files that have their own name; already sanitized. */
  readonly name?: string
  /** The folder it was in, for files extracted from another file; already sanitized. */
  readonly folder?: string
  /** Whether it was extracted from another file. Its format is then detected from its bytes, as for an import. */
  readonly isForeign?: boolean
  /** Index of its source; absent if several sources were combined into it. */
  readonly source?: number
  /** A file in the job folder to return instead, with a warning, if this one is not smaller. Used by compress. */
  readonly unlessSmallerThan?: string
}

/** How to run a task. Engines write plans; only the sandbox runs them. */
export interface Plan {
  readonly kind: 'plan'
  readonly steps: readonly Step[]
  readonly outputs: readonly PlannedOutput[]
  readonly warnings: readonly string[]
  /**
   * A file from the previous plan that this plan starts with, and its new name. All other files are removed first, so
   * that no leftover of an earlier plan is taken for a result of this one.
   */
  readonly takesOver?: { readonly file: string; readonly as: string }
  /**
   * Returns the next plan from what the steps found: after a probe, or for another attempt at a target size. If
   * present, the outputs of that plan replace these. Pure like `plan`, and called at most `maxRounds` times in a row.
   */
  next?(found: Findings): Plan | Failure
}

/** The maximum number of plans in a row for one task. An engine that needs more would never end. */
export const maxRounds = 16

/** Time on one idle core in seconds: to start, and per MiB of input. */
export interface CostRate {
  readonly startS: number
  readonly perMiBS: number
}

/**
 * The rates of an engine, with separate ones for inputs or outputs that differ. They are estimates and rather too high:
 * a task that takes longer than expected delays quick ones, a shorter one only waits a little.
 */
export interface EngineCost extends CostRate {
  /** By family of the input. */
  readonly from?: Partial<Record<Family, CostRate>>
  /** By output format. */
  readonly to?: Readonly<Record<string, CostRate>>
}

/** A converter: what it can do, and how it does it. */
export interface Engine {
  readonly id: string
  readonly family: EngineFamily
  /** The tools it adds. Its plans may also use tools of other engines. */
  readonly tools: readonly Tool[]
  /** If not given: 1 s, and 1 s per MiB. */
  readonly cost?: EngineCost
  readonly abilities: readonly Ability[]
  plan(request: PlanRequest): Plan | Failure
  /**
   * Plans a PDF whose first page represents the file, such as the cover of a book. Absent or undefined: the conversion
   * to PDF does that.
   */
  planFirstPage?(source: SourceFile): Plan | undefined
}
