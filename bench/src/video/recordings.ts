/** A conversion to measure: how its input is made, and its target. */
export interface Recording {
  readonly name: 'video' | 'audio' | 'remux'
  readonly from: string
  readonly to: string
  /**
   * Duration of the recording in seconds: `full` keeps engines busy for 20 s and more on two cores, `quick` is short.
   */
  readonly seconds: { readonly full: number; readonly quick: number }
  make(seconds: number): readonly string[]
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25,noise=alls=8:allf=t']
const tone = ['-f', 'lavfi', '-i', 'anoisesrc=color=pink:amplitude=0.3:sample_rate=44100']
const stereo = ['-ac', '2', '-c:a', 'aac', '-b:a', '64k']

/** A video that must be encoded, audio that must be encoded, and a video whose streams can be copied. */
export const recordings: readonly Recording[] = [
  {
    name: 'video',
    from: 'mkv',
    to: 'mp4',
    seconds: { full: 20, quick: 4 },
    make: (seconds) => [...picture, ...tone, '-t', String(seconds), '-c:v', 'mpeg2video', '-q:v', '4', ...stereo],
  },
  {
    name: 'audio',
    from: 'm4a',
    to: 'mp3',
    seconds: { full: 2400, quick: 120 },
    make: (seconds) => [...tone, '-t', String(seconds), ...stereo],
  },
  {
    name: 'remux',
    from: 'mkv',
    to: 'mp4',
    seconds: { full: 60, quick: 4 },
    make: (seconds) => {
      const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
      return [...picture, ...tone, '-t', String(seconds), ...h264, ...stereo]
    },
  },
]
