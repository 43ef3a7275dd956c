/** One command whose result counts: a project of Vitest, or a program whose last line is a count. */
export interface Suite {
  readonly name: string
  /** Only computes: it gives way to suites that measure time. The others mostly wait. */
  readonly isPatient: boolean
  /** Starts engines or a whole stack, which needs the engine root. */
  readonly needsRoot: boolean
  /** Ends a suite that hangs: about three times what it takes on a quiet machine, as a busy one takes that long. */
  readonly limitS: number
  readonly command: Command
}

export type Command =
  | {
      /** Arguments of `vitest run`. */
      readonly vitest: readonly string[]
      /** What of these arguments names files: a second try names others. */
      readonly files: readonly string[]
    }
  | { readonly program: readonly string[] }
