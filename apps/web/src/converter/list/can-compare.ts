import type { Item } from '../item.ts'
import { blobs } from '../state.ts'

const pictures = new Set(['jpg', 'png', 'webp', 'avif', 'gif', 'bmp', 'svg'])

/** Whether the browser can show both the source and the result. */
export function canCompare({ id, stage, source, convertedTo = '', result }: Item): boolean {
  return (
    stage === 'done' && result?.files.length === 1 && pictures.has(source) && pictures.has(convertedTo) && blobs.has(id)
  )
}
