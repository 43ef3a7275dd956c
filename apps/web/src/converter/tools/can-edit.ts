import type { Item } from '../item.ts'
import { blobs } from '../state.ts'

// What browsers show, and the service can cut.
const pictures: ReadonlySet<string> = new Set(['jpg', 'png', 'webp', 'avif', 'gif', 'bmp'])
const recordings: ReadonlySet<string> = new Set(
  'mp3 m4a wav ogg opus flac aac wma aiff mp4 m4v mov mkv webm avi mpg ogv flv 3gp'.split(' '),
)

/** Whether a part of it can be chosen on a picture of it. */
export function canCrop({ id, stage, source }: Item): boolean {
  return stage === 'staged' && pictures.has(source) && blobs.has(id)
}

/** Whether a part of it can be chosen by its time. */
export function canTrim({ id, stage, source }: Item): boolean {
  return stage === 'staged' && recordings.has(source) && blobs.has(id)
}
