import type { Item } from '../item.ts'
import { blobs } from '../state.ts'

// Formats that browsers can show and the service can crop.
const pictures: ReadonlySet<string> = new Set(['jpg', 'png', 'webp', 'avif', 'gif', 'bmp'])
const recordings: ReadonlySet<string> = new Set(
  'mp3 m4a wav ogg opus flac aac wma aiff mp4 m4v mov mkv webm avi mpg ogv flv 3gp'.split(' '),
)

/** Whether the file can be cropped on a preview of the image. */
export function canCrop({ id, stage, source }: Item): boolean {
  return stage === 'staged' && pictures.has(source) && blobs.has(id)
}

/** Whether the file can be trimmed by time. */
export function canTrim({ id, stage, source }: Item): boolean {
  return stage === 'staged' && recordings.has(source) && blobs.has(id)
}
