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
  /** What the file is said to be and certainly is not: nobody should try to read it as that, or as anything else. */
  readonly misnamed?: string
}

/** Formats that each file of theirs shows in its first bytes: what does not show them is something else. */
const unmistakable: ReadonlySet<string> = new Set([
  ...['jpg', 'png', 'gif', 'tiff', 'webp', 'avif', 'heic', 'jxl', 'jp2', 'psd', 'xcf', 'exr', 'dds'],
  ...[
    'pdf',
    'mhtml',
    'ps',
    'eps',
    'ai',
    'flac',
    'mkv',
    'webm',
    '7z',
    'rar',
    'gz',
    'emf',
    'odt',
    'ods',
    'odp',
    'odg',
    'ott',
    'ots',
    'otp',
    'otg',
  ],
])

/** Settles a file's format: bytes where they are conclusive, then the declaration, then the name, then a guess. */
export function resolveFormat({ detected, declared, filename }: FormatFacts): ResolvedFormat {
  const stated = declared === undefined ? undefined : findFormat(declared)?.ext
  if (detected?.conclusive) {
    const called = stated ?? findFormat(splitName(filename).ext)?.ext
    if (called !== undefined && detected.variants?.includes(called)) return { ext: called }
    if (stated === undefined || stated === detected.ext) return { ext: detected.ext }
    const warning = `The input was declared as ${stated} but its content is ${detected.ext}, so it was read as ${detected.ext}.`
    return { ext: detected.ext, warning }
  }
  const ext = stated ?? findFormat(splitName(filename).ext)?.ext ?? detected?.ext
  // A script called x.png would otherwise be an engine's to refuse.
  if (ext !== undefined && ext !== detected?.ext && unmistakable.has(ext)) return { ext: undefined, misnamed: ext }
  return { ext }
}
