import { type Failure, failure } from '@lathe/domain'
import { mediaLimits as limits } from '../media/limits.ts'
import type { Media } from './media.ts'

/** Returns a failure if a file must be refused before anything is encoded. */
export function judgeMedia(media: Media, wantsPictures: boolean): Failure | undefined {
  if (media.isHidden && wantsPictures) {
    const text = `The images cannot be read: they are damaged, of an unknown type, or larger than ${limits.side} x ${limits.side}.`
    return failure('input_damaged', { text })
  }
  if (media.video === undefined && media.audio.length === 0 && media.unknown > 0) {
    return failure('unsupported', { text: 'The file contains a stream that cannot be decoded.' })
  }
  if (media.video === undefined && media.audio.length === 0) {
    return failure('input_damaged', { text: 'The file has neither video nor audio that can be read.' })
  }
  const broken = excesses(media).find(({ value, limit }) => value > limit)
  return broken && failure('limit_exceeded', { text: `The file has ${broken.what}, which is the limit.` })
}

function excesses({ video, seconds, streams, chapters }: Media) {
  const size = `more than ${limits.side} x ${limits.side} pixels`
  return [
    { what: size, value: Math.max(video?.width ?? 0, video?.height ?? 0), limit: limits.side },
    {
      what: `more than ${limits.framesPerSecond} frames a second`,
      value: video?.fps ?? 0,
      limit: limits.framesPerSecond,
    },
    { what: `more than ${limits.seconds / 3600} hours`, value: seconds ?? 0, limit: limits.seconds },
    { what: `more than ${limits.streams} streams`, value: streams, limit: limits.streams },
    { what: `more than ${limits.chapters} chapters`, value: chapters, limit: limits.chapters },
  ]
}
