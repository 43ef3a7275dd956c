import type { ProcessingOperation } from '@lathe/operations'
import type { PlanBench } from '@lathe/testing'

/** What an input may refer to: canaries and tripwires of this run. */
export interface Bait {
  /** The text canary, as an absolute path. */
  readonly file: string
  /** The image canary. */
  readonly picture: string
  /** The folder of both: files that an attack would write are named below it and looked for afterwards. */
  readonly folder: string
  /** The tripwire: `http://127.0.0.1:port`. */
  readonly url: string
  readonly port: number
  /** The variable in the worker's environment that holds a token. */
  readonly variable: 'CANARY_ENV'
}

/**
 * How an attack may end. `refused`: failed because of the input; `harmless`: completed, or failed like any bad file.
 */
export type SafeEnd = 'refused' | 'limited' | 'harmless' | 'completed'

/** One hostile input and the requested operation. */
export interface Variant {
  readonly what: string
  readonly filename: string
  readonly content: string | Uint8Array
  readonly operation?: ProcessingOperation
  readonly to?: string
  readonly options?: Readonly<Record<string, string | number | boolean>>
  /** Declares the input's format, as clients may. */
  readonly from?: string
  /** `harmless` if not given. */
  readonly end?: SafeEnd
  /** The pattern that its error message must match. */
  readonly says?: RegExp
  /** Uses a limit up: runs only when everything is requested. */
  readonly isSlow?: boolean
  /** Further checks of its outputs. */
  check?(outputs: readonly Output[], bench: PlanBench): void | Promise<void>
}

export interface Output {
  readonly filename: string
  readonly bytes: Buffer
}

/** A row of the catalog: an id, its meaning and all variants. */
export interface Attack {
  readonly id: string
  readonly title: string
  readonly variants: (bait: Bait, bench: PlanBench) => readonly Variant[] | Promise<readonly Variant[]>
  /** How many run at once; 4 by default. Heavy ones run one by one. */
  readonly atOnce?: number
  /** The time within which each must end; 60 s by default. */
  readonly withinMs?: number
  /** The inputs refer to the canary, but not in plain bytes: it is packed inside them. */
  readonly packsCanary?: boolean
}

/** Whether an input refers to the canary, so that its output could show it. */
export function namesCanary({ packsCanary = false }: Attack, { content }: Variant, folder: string): boolean {
  return packsCanary || Buffer.from(content).includes(folder)
}

/** How many variants of an attack run at once by default. */
export const defaultAtOnce = 4
