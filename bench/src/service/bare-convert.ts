import { join } from 'node:path'
import sharp from 'sharp'
import { rateOf } from '../parts/lanes.ts'

/** What the service's engine does for jpg to webp with default options, without anything around it. */
export async function bareConvert(from: string, to: string): Promise<void> {
  await sharp(from, { failOn: 'error', autoOrient: true }).webp().toFile(to)
}

/** Files a second that one process converts with every core busy: a file in, a file out. */
export function bareRate(from: string, folder: string, { count, cores }: { count: number; cores: number }) {
  return rateOf(count, cores, (i) => bareConvert(from, join(folder, `bare-${i % cores}.webp`)))
}
