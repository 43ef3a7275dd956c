/** Where an export stored a file. */
export interface ExportedFile {
  /** In the terms of the target: an object key, a blob name, a path on a server. */
  readonly path: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
}
