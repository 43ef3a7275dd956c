/** The properties of a file as seen by a program other than its maker. */
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

/** A file to inspect, and its claimed format. */
export interface Given {
  readonly format: string
  readonly bytes: Buffer
  /** Opens an encrypted file. */
  readonly password?: string
}

/** Throws the reason why a file does not have the claimed format. */
export function refuse(format: string, why: string): never {
  throw new Error(`no ${format}: ${why.trim().slice(0, 300)}`)
}
