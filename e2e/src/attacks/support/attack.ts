import type { ProcessingOperation } from '@lathe/operations'
import type { PlanBench } from '@lathe/testing'

/** What an input may name: canaries and tripwires of this run. */
export interface Bait {
  /** The text canary, as an absolute path. */
  readonly file: string
  /** The picture canary. */
  readonly picture: string
  /** The folder of both: things that would be written are named below it, and looked for afterwards. */
  readonly folder: string
  /** The tripwire: `http://127.0.0.1:port`. */
  readonly url: string
  readonly port: number
  /** The variable of the worker's environment that holds a token. */
  readonly variable: 'CANARY_ENV'
}

/** How an attack may end. `refused`: failed for what the input is; `harmless`: completed, or failed as any bad file. */
export type SafeEnd = 'refused' | 'limited' | 'harmless' | 'completed'

/** One hostile input and what is asked to be done with it. */
export interface Variant {
  readonly what: string
  readonly filename: string
  readonly content: string | Uint8Array
  readonly operation?: ProcessingOperation
  readonly to?: string
  readonly options?: Readonly<Record<string, string | number | boolean>>
  /** Declares the input's format, as a sender may. */
  readonly from?: string
  /** `harmless` if not given. */
  readonly end?: SafeEnd
  /** What its message must say. */
  readonly says?: RegExp
  /** Takes a limit to its end: run only when everything is asked for. */
  readonly isSlow?: boolean
  /** What more must be true of its outputs. */
  check?(outputs: readonly Output[], bench: PlanBench): void | Promise<void>
}

export interface Output {
  readonly filename: string
  readonly bytes: Buffer
}

/** A row of the catalogue: an id, what it stands for, and every variant of it. */
export interface Attack {
  readonly id: string
  readonly title: string
  readonly variants: (bait: Bait, bench: PlanBench) => readonly Variant[] | Promise<readonly Variant[]>
  /** How many run at once; 4 if not given. Heavy ones go one by one. */
  readonly atOnce?: number
  /** Each must have ended within this; 60 s if not given. */
  readonly withinMs?: number
  /** Inputs name the canary though not in plain bytes: it is packed inside them. */
  readonly packsCanary?: boolean
}

/** Whether an input names the canary, so that its output could show it. */
export function namesCanary({ packsCanary = false }: Attack, { content }: Variant, folder: string): boolean {
  return packsCanary || Buffer.from(content).includes(folder)
}

/** The variants of an attack that run side by side unless it says otherwise. */
export const defaultAtOnce = 4
