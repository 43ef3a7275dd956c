import { encodeLimits, mediaLimits, synthesizeLimits } from '../../../packages/engines/src/media/limits.ts'
import { speechLimits } from '../../../packages/engines/src/speech/limits.ts'
import { bytes, count, type LimitGroup, seconds, threeSteps, unmeasured } from './limit.ts'

const file = 'e2e/src/attacks/limits/media.test.ts'
const unit = 'packages/engines/src/ffmpeg/limits.test.ts'
const plans = 'packages/engines/src/ffmpeg/ffmpeg.test.ts'
const midi = 'e2e/src/attacks/limits/media.test.ts: samples of a score, 1 GiB'
const speech = 'packages/engines/src/speech/speech.test.ts'
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
      tests: threeSteps(file, 'pixels a side of a video, 8192'),
      real: 'mediaSide',
    },
    {
      id: 'L-video-rate',
      name: 'Frames per second of a video',
      value: count(mediaLimits.framesPerSecond),
      beyond: `${isBeyond} Lower the frame rate first.`,
      tests: threeSteps(file, 'frames a second, 240'),
      real: 'mediaRate',
    },
    {
      id: 'L-video-streams',
      name: 'Streams of a recording (video, audio, subtitles)',
      value: count(mediaLimits.streams),
      beyond: `${isBeyond} Remove streams that you do not need.`,
      tests: threeSteps(file, 'streams of a recording, 32'),
      real: 'mediaStreams',
    },
    {
      id: 'L-video-length',
      name: 'Length of a recording',
      value: seconds(mediaLimits.seconds),
      beyond: `${isBeyond} Split the recording.`,
      tests: threeSteps(file, 'seconds of a recording, 720,000'),
      real: 'mediaSeconds',
    },
    {
      id: 'L-video-chapters',
      name: 'Chapters of a recording',
      value: count(mediaLimits.chapters),
      beyond: `${isBeyond} Remove chapters.`,
      tests: [
        ...threeSteps(file, 'chapters of a recording, 1,000'),
        'packages/engines/src/ffmpeg/attacks.int.test.ts: B04 > 10,000 chapters: refused',
      ],
      real: 'mediaChapters',
    },
    {
      id: 'L-video-pictures',
      name: 'Images that one video becomes',
      value: count(mediaLimits.pictures),
      beyond: `${isBeyond} Give a longer \`every\`, or a shorter part with \`start\` and \`end\`.`,
      tests: [
        ...threeSteps(unit, 'images of a video, 2,000'),
        `${plans}: pictures out of a video > are refused beyond their limit, and taken at it`,
      ],
      real: unmeasured.option,
    },
    {
      id: 'L-media-parts',
      name: 'Files that one recording is split into',
      value: count(mediaLimits.parts),
      beyond: `${isBeyond} Give a larger \`seconds_per_file\` or \`silence_seconds\`.`,
      tests: threeSteps(unit, 'files that a recording is split into, 500'),
      real: unmeasured.option,
    },
    {
      id: 'L-video-animation',
      name: 'Frames of an animation made of a video',
      value: count(mediaLimits.animationFrames),
      beyond: `${isBeyond} Take a shorter part with \`start\` and \`end\`, or a lower \`fps\`.`,
      tests: threeSteps(unit, 'frames of an animation made of a video, 2,000'),
      real: unmeasured.option,
    },
    {
      id: 'L-video-animation',
      name: 'Pixels of all frames of an animation made of a video',
      value: count(mediaLimits.animationPixels),
      beyond: `${isBeyond} Ask for a smaller \`width\`, a lower \`fps\` or a shorter part.`,
      tests: [`${plans}: an animation > has at most 2,000 frames and a billion pixels`],
      real: unmeasured.option,
    },
    {
      id: 'L-transcript-length',
      name: 'Length of a recording that is transcribed',
      value: seconds(speechLimits.seconds),
      beyond: `${isBeyond} Split the recording.`,
      tests: threeSteps(speech, 'seconds of a recording to transcribe, 7,200'),
      real: unmeasured.option,
    },
    {
      id: 'L-midi',
      name: 'Audio that a MIDI score becomes, before it is encoded',
      value: bytes(synthesizeLimits.outputBytes),
      beyond: `${isBeyond} That is 1 hour and 40 minutes of music. Split the score.`,
      tests: [
        `${midi} > is what a score is given`,
        `${midi} > is enough for one that is shorter`,
        `${midi} > ends one that is longer`,
        'packages/engines/src/ffmpeg/attacks.int.test.ts: scores and modules > a pause of hours is not played to its end',
      ],
      real: 'midiBytes',
    },
    {
      id: 'L-video-output',
      name: 'Size of the result for a small recording',
      value: bytes(encodeLimits(0, 0).outputBytes),
      beyond: `${isBeyond} A larger recording may grow to 20 times its size. Choose a lower quality or a shorter part.`,
      tests: [`${unit}: the size of a result > is 1 GiB for small recordings`],
      real: unmeasured.memory,
    },
    {
      id: 'L-video-output',
      name: 'Size of the result for any recording',
      value: bytes(encodeLimits(Number.MAX_SAFE_INTEGER, 0).outputBytes),
      beyond: `${isBeyond} Choose a lower quality or a shorter part.`,
      tests: [
        `${unit}: the size of a result > is 20 times that of the recording`,
        `${unit}: the size of a result > is never more than 20 GiB`,
      ],
      real: unmeasured.memory,
    },
  ],
}
