import sharp from 'sharp'

/** A conversion done three ways: by the service, by plain sharp and by plain ImageMagick. */
export interface ImageCase {
  readonly name: string
  readonly photo: 'small' | 'large'
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
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
    bySharp: (from: string, to: string) => open(from).png().toFile(to),
    byMagick: [],
  },
  {
    name: 'webp',
    to: 'webp',
    options: {},
    bySharp: (from: string, to: string) => open(from).webp().toFile(to),
    byMagick: ['-quality', '80'],
  },
  {
    name: 'thumbnail',
    to: 'jpg',
    options: { width: 200 },
    bySharp: (from: string, to: string) => open(from).resize({ width: 200, fit: 'inside' }).jpeg().toFile(to),
    byMagick: ['-resize', '200', '-quality', '80'],
  },
] as const

/** 40 kB and 2 MB photographs, each to PNG, to WebP and to a thumbnail. */
export const imageCases: readonly ImageCase[] = (['small', 'large'] as const).flatMap((photo) =>
  jobs.map((job) => ({ ...job, photo, name: `${photo}_${job.name}` })),
)
