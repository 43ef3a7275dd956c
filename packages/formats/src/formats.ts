import { archiveFormats, textFormats } from './archive-and-text.ts'
import { documentFormats } from './document.ts'
import type { Format } from './format.ts'
import { imageFormats } from './image.ts'
import { audioFormats, videoFormats } from './sound-and-video.ts'

/** Every format the service can name. What can be done with one is the engines' business. */
export const formats: readonly Format[] = [
  ...imageFormats,
  ...documentFormats,
  ...audioFormats,
  ...videoFormats,
  ...archiveFormats,
  ...textFormats,
]

const byExtension = new Map(formats.flatMap((format) => [format.ext, ...format.aliases].map((ext) => [ext, format])))

// The longest extension known has 5 characters: anything longer is not worth folding to lower case.
const longestExtension = 16

/** Finds a format by extension or alias, in any case, with or without a leading dot. */
export function findFormat(ext: string): Format | undefined {
  if (ext.length > longestExtension) return undefined
  const lower = ext.toLowerCase()
  return byExtension.get(lower.startsWith('.') ? lower.slice(1) : lower)
}
