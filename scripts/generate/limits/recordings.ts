import { encodeLimits, mediaLimits, synthesizeLimits } from '../../../packages/engines/src/media/limits.ts'
import { speechLimits } from '../../../packages/engines/src/speech/limits.ts'
import { bytes, count, type LimitGroup, seconds, unmeasured } from './limit.ts'

const isBeyond = 'The task fails with `limit_exceeded`.'

/** Limits of audio and video. */
export const recordings: LimitGroup = {
  title: 'Audio and video',
  limits: [
    {
      id: 'L-video-side',
      name: 'Longest side of a video, in pixels',
      value: count(mediaLimits.side),
      beyond: `${isBeyond} FFmpeg may also report the file as damaged. Scale the video down first.`,
      real: 'mediaSide',
    },
    {
      id: 'L-video-rate',
      name: 'Frames per second of a video',
      value: count(mediaLimits.framesPerSecond),
      beyond: `${isBeyond} Lower the frame rate first.`,
      real: 'mediaRate',
    },
    {
      id: 'L-video-streams',
      name: 'Streams of a recording (video, audio, subtitles)',
      value: count(mediaLimits.streams),
      beyond: `${isBeyond} Remove streams that you do not need.`,
      real: 'mediaStreams',
    },
    {
      id: 'L-video-length',
      name: 'Length of a recording',
      value: seconds(mediaLimits.seconds),
      beyond: `${isBeyond} Split the recording.`,
      real: 'mediaSeconds',
    },
    {
      id: 'L-video-chapters',
      name: 'Chapters of a recording',
      value: count(mediaLimits.chapters),
      beyond: `${isBeyond} Remove chapters.`,
      real: 'mediaChapters',
    },
    {
      id: 'L-video-pictures',
      name: 'Images that one video becomes',
      value: count(mediaLimits.pictures),
      beyond: `${isBeyond} Give a longer \`every\`, or a shorter part with \`start\` and \`end\`.`,
      real: unmeasured.option,
    },
    {
      id: 'L-media-parts',
      name: 'Files that one recording is split into',
      value: count(mediaLimits.parts),
      beyond: `${isBeyond} Give a larger \`seconds_per_file\` or \`silence_seconds\`.`,
      real: unmeasured.option,
    },
    {
      id: 'L-video-animation',
      name: 'Frames of an animation made of a video',
      value: count(mediaLimits.animationFrames),
      beyond: `${isBeyond} Take a shorter part with \`start\` and \`end\`, or a lower \`fps\`.`,
      real: unmeasured.option,
    },
    {
      id: 'L-video-animation',
      name: 'Pixels of all frames of an animation made of a video',
      value: count(mediaLimits.animationPixels),
      beyond: `${isBeyond} Ask for a smaller \`width\`, a lower \`fps\` or a shorter part.`,
      real: unmeasured.option,
    },
    {
      id: 'L-transcript-length',
      name: 'Length of a recording that is transcribed',
      value: seconds(speechLimits.seconds),
      beyond: `${isBeyond} Split the recording.`,
      real: unmeasured.option,
    },
    {
      id: 'L-midi',
      name: 'Audio that a MIDI score becomes, before it is encoded',
      value: bytes(synthesizeLimits.outputBytes),
      beyond: `${isBeyond} That is 1 hour and 40 minutes of music. Split the score.`,
      real: 'midiBytes',
    },
    {
      id: 'L-video-output',
      name: 'Size of the result for a small recording',
      value: bytes(encodeLimits(0, 0).outputBytes),
      beyond: `${isBeyond} A larger recording may grow to 20 times its size. Choose a lower quality or a shorter part.`,
      real: unmeasured.memory,
    },
    {
      id: 'L-video-output',
      name: 'Size of the result for any recording',
      value: bytes(encodeLimits(Number.MAX_SAFE_INTEGER, 0).outputBytes),
      beyond: `${isBeyond} Choose a lower quality or a shorter part.`,
      real: unmeasured.memory,
    },
  ],
}
