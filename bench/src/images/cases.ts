import sharp from 'sharp'

/** A conversion done three ways: by the service, by plain sharp and by plain ImageMagick. */
export interface ImageCase {
  readonly name: string
  readonly photo: 'small' | 'large'
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
  /** The goal as a share of the throughput of one sharp process on the same cores. */
  readonly sharpGoal: number
  /** The call a script would make. */
  bySharp(from: string, to: string): Promise<unknown>
  /** The arguments a script would pass between the two files. */
  readonly byMagick: readonly string[]
}

const open = (from: string) => sharp(from, { failOn: 'error', autoOrient: true })

const jobs = [
  {
    name: 'png',
    to: 'png',
    options: {},
    sharpGoals: { small: 0.8, large: 0.8 },
    bySharp: (from: string, to: string) => open(from).png().toFile(to),
    byMagick: [],
  },
  {
    name: 'webp',
    to: 'webp',
    options: {},
    sharpGoals: { small: 0.8, large: 0.85 },
    bySharp: (from: string, to: string) => open(from).webp().toFile(to),
    byMagick: ['-quality', '80'],
  },
  {
    name: 'thumbnail',
    to: 'jpg',
    options: { width: 200 },
    // Sharp makes a small thumbnail so quickly that the rest of the task takes longer than the engine.
    sharpGoals: { small: 0.45, large: 0.85 },
    bySharp: (from: string, to: string) => open(from).resize({ width: 200, fit: 'inside' }).jpeg().toFile(to),
    byMagick: ['-resize', '200', '-quality', '80'],
  },
] as const

/** 40 kB and 2 MB photographs, each to PNG, to WebP and to a thumbnail. */
export const imageCases: readonly ImageCase[] = (['small', 'large'] as const).flatMap((photo) =>
  jobs.map(({ sharpGoals, ...job }) => ({
    ...job,
    photo,
    name: `${photo}_${job.name}`,
    sharpGoal: sharpGoals[photo],
  })),
)
