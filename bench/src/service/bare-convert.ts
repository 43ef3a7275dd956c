import { join } from 'node:path'
import sharp from 'sharp'
import { rateOf } from '../parts/lanes.ts'

/** The call that the service's engine makes for jpg to webp with default options, without anything around it. */
export async function bareConvert(from: string, to: string): Promise<void> {
  await sharp(from, { failOn: 'error', autoOrient: true }).webp().toFile(to)
}

/** Files per second that one process converts with all cores busy, from file to file. */
export function bareRate(from: string, folder: string, { count, cores }: { count: number; cores: number }) {
  return rateOf(count, cores, (i) => bareConvert(from, join(folder, `bare-${i % cores}.webp`)))
}
