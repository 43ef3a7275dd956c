import { archiveFormats, textFormats } from './archive-and-text.ts'
import { documentFormats } from './document.ts'
import type { Format } from './format.ts'
import { imageFormats } from './image.ts'
import { audioFormats, videoFormats } from './sound-and-video.ts'

/** Every format that the service can name. The engines define what can be done with each. */
export const formats: readonly Format[] = [
  ...imageFormats,
  ...documentFormats,
  ...audioFormats,
  ...videoFormats,
  ...archiveFormats,
  ...textFormats,
]

const byExtension = new Map(formats.flatMap((format) => [format.ext, ...format.aliases].map((ext) => [ext, format])))

// No known extension is longer, so a longer one is rejected before it is converted to lower case.
const longestExtension = 16

/** Finds a format by extension or alias, case-insensitive, with or without a leading dot. */
export function findFormat(ext: string): Format | undefined {
  if (ext.length > longestExtension) return undefined
  const lower = ext.toLowerCase()
  return byExtension.get(lower.startsWith('.') ? lower.slice(1) : lower)
}
