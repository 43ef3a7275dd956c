/** A video to compress: its content and its encoding. */
export interface Video {
  readonly name: string
  readonly ext: string
  readonly seconds: number
  /** Arguments that make it, up to the file name. */
  readonly args: readonly string[]
}

const pictures = {
  moving: 'testsrc2',
  // Noise is the hardest to predict for an encoder.
  grainy: 'testsrc2,noise=alls=25:allf=t',
  fractal: 'mandelbrot',
  // Only the grain moves, as in a recorded lecture: much of the file is audio.
  calm: 'smptehdbars,noise=alls=4:allf=t',
} as const

const codings = {
  h264: { ext: 'mp4', args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '16', '-c:a', 'aac'] },
  h265: {
    ext: 'mkv',
    args: ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '18', '-x265-params', 'log-level=none'],
  },
  vp9: {
    ext: 'webm',
    args: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '20', '-b:v', '0'],
  },
  mpeg4: { ext: 'avi', args: ['-c:v', 'mpeg4', '-q:v', '2', '-c:a', 'libmp3lame'] },
  mpeg2: { ext: 'mpg', args: ['-c:v', 'mpeg2video', '-q:v', '2', '-c:a', 'mp2', '-f', 'vob'] },
  mov: { ext: 'mov', args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-c:a', 'aac'] },
} as const

const shapes = [
  { size: '320x240', fps: 25, seconds: 4 },
  { size: '640x360', fps: 30, seconds: 3 },
  { size: '176x144', fps: 15, seconds: 8 },
  { size: '480x270', fps: 24, seconds: 2 },
  { size: '854x480', fps: 25, seconds: 2 },
] as const

function video(
  picture: keyof typeof pictures,
  coding: keyof typeof codings,
  { size, fps, seconds }: (typeof shapes)[number],
): Video {
  const [source = '', ...filters] = pictures[picture].split(',')
  const { ext, args } = codings[coding]
  const input = `${source}=size=${size}:rate=${fps}`
  const chain = filters.length > 0 ? ['-vf', filters.join(',')] : []
  return {
    name: `${coding}-${picture}-${size}-${seconds}s`,
    ext,
    seconds,
    args: [
      ...[
        '-f',
        'lavfi',
        '-i',
        input,
        '-f',
        'lavfi',
        '-i',
        'sine=frequency=330:sample_rate=44100',
        '-t',
        String(seconds),
      ],
      ...[...chain, '-ac', '2', '-pix_fmt', 'yuv420p', ...args],
    ],
  }
}

const kinds = Object.keys(pictures) as (keyof typeof pictures)[]
const codecs = Object.keys(codings) as (keyof typeof codings)[]

/** Thirty videos: every encoding with every shape, with alternating content. */
export const videos: readonly Video[] = codecs.flatMap((codec, c) =>
  shapes.map((shape, s) => video(kinds[(c + s) % kinds.length] ?? 'moving', codec, shape)),
)
