/** The broad kind of a format: what a person would call the file. */
export type Family = 'image' | 'document' | 'audio' | 'video' | 'archive' | 'text'

/** The facts of one file format. */
export interface Format {
  /** The extension that names the format everywhere in the service: lower case, no dot. */
  readonly ext: string
  readonly family: Family
  readonly mediaType: string
  /** Other extensions for the same format. */
  readonly aliases: readonly string[]
  readonly name: string
}

/** One row of a format table: extension, media type, name for people, aliases. */
export type FormatRow = readonly [ext: string, mediaType: string, name: string, ...aliases: string[]]

/** Turns the rows of one family into formats. */
export function toFormats(family: Family, rows: readonly FormatRow[]): readonly Format[] {
  return rows.map(([ext, mediaType, name, ...aliases]) => ({ ext, family, mediaType, aliases, name }))
}
