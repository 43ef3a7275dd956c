/** What a file is when a program other than its maker opens it. */
export interface Facts {
  readonly format: string
  /** Pixels; points for the first page of a PDF. */
  readonly width?: number
  readonly height?: number
  /** Pages, frames of an animation, sheets or slides. */
  readonly pages?: number
  readonly durationMs?: number
  readonly frameRate?: number
  readonly videoCodec?: string
  readonly audioCodec?: string
  readonly sampleRate?: number
  readonly channels?: number
}

/** A file to look at, and what it is said to be. */
export interface Given {
  readonly format: string
  readonly bytes: Buffer
  /** Opens it where it is locked. */
  readonly password?: string
}

/** Says why a file is not what it was said to be. */
export function refuse(format: string, why: string): never {
  throw new Error(`no ${format}: ${why.trim().slice(0, 300)}`)
}
