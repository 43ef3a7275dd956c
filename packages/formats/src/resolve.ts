import type { Detected } from './detect.ts'
import { splitName } from './filename.ts'
import { findFormat } from './formats.ts'

/** What is known about a file's format before anyone decodes it. */
export interface FormatFacts {
  readonly detected: Detected | undefined
  readonly declared?: string | undefined
  readonly filename: string
}

/** The format a file is treated as, with a word to its owner where that differs from the declaration. */
export interface ResolvedFormat {
  readonly ext: string | undefined
  readonly warning?: string
}

/** Settles a file's format: bytes where they are conclusive, then the declaration, then the name, then a guess. */
export function resolveFormat({ detected, declared, filename }: FormatFacts): ResolvedFormat {
  const stated = declared === undefined ? undefined : findFormat(declared)?.ext
  if (detected?.conclusive) {
    if (stated === undefined || stated === detected.ext) return { ext: detected.ext }
    const warning = `The input was declared as ${stated} but its content is ${detected.ext}, so it was read as ${detected.ext}.`
    return { ext: detected.ext, warning }
  }
  return { ext: stated ?? findFormat(splitName(filename).ext)?.ext ?? detected?.ext }
}
