import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import { advertised } from '@lathe/engines'
import type { PlanBench } from '@lathe/testing'
import { fixturePath } from '../../../fixtures/fixtures.ts'
import { derive, sourceOfDerived } from './derive.ts'
import { makers } from './makers.ts'
import type { Pair } from './pair.ts'
import { planRoutes } from './plan-routes.ts'
import { seeds } from './seeds.ts'

/** Small real files of any format, cached for the run. */
export interface Samples {
  /** Undefined if there is no fixture and no advertised conversion from one. */
  find(format: string): Promise<Buffer | undefined>
  /** One with visible text, also for an image. */
  findWritten(format: string): Promise<Buffer | undefined>
  /** One with speech, if the format can be written. */
  findSpoken(format: string): Promise<Buffer | undefined>
}

const routes = planRoutes(advertised, [...Object.keys(seeds), ...Object.keys(makers)])
// If the nearest routes are broken, the run should show that instead of working around it.
const routesTried = 3

/** Paths of files from elsewhere, by their formats. */
export type GivenFiles = ReadonlyMap<string, readonly string[]>

// Collections contain damaged and encrypted files on purpose.
const givenTried = 8

/** Samples from the seeds, from conversions of them by the engines, and from files that are given. */
export function createSamples(bench: PlanBench, given: GivenFiles = new Map()): Samples {
  const made = new Map<string, Promise<Buffer | undefined>>()

  function find(format: string): Promise<Buffer | undefined> {
    const known = made.get(format)
    if (known) return known
    const making = make(format)
    made.set(format, making)
    return making
  }

  async function make(format: string): Promise<Buffer | undefined> {
    const seed = seeds[format]
    if (seed) return readFile(fixturePath(seed))
    const maker = makers[format]
    if (maker) return maker(bench)
    const source = sourceOfDerived(format)
    if (source) {
      const content = await find(source)
      return content && derive(format, content)
    }
    const files = given.get(format)
    return files ? findUsable(format, files) : convertTo(format)
  }

  async function convertTo(format: string): Promise<Buffer | undefined> {
    for (const from of (routes.get(format) ?? []).slice(0, routesTried)) {
      const content = await find(from)
      if (!content) continue
      const end = await bench.run({ operation: 'convert', sources: [{ format: from, content }], to: format })
      if (!isFailure(end)) return end.files[0]?.bytes
      console.error(`no sample of ${format} from ${from}: ${end.code} ${end.text ?? end.detail ?? ''}`)
    }
    return undefined
  }

  /** The first of the files that an engine takes. */
  async function findUsable(format: string, files: readonly string[]): Promise<Buffer | undefined> {
    const ability = advertised.find(({ from }) => from === format)
    if (!ability) return undefined
    for (const file of files.slice(0, givenTried)) {
      const content = await readFile(file)
      const end = await bench.run({ operation: ability.operation, sources: [{ format, content }], to: ability.to })
      if (!isFailure(end)) return content
      console.error(`not a sample: ${file}: ${end.code} ${end.text ?? end.detail ?? ''}`)
    }
    return undefined
  }

  async function findWritten(format: string): Promise<Buffer | undefined> {
    const content = await find('pdf')
    if (!content || format === 'pdf') return content
    const drawn = await bench.run({ operation: 'convert', sources: [{ format: 'pdf', content }], to: 'png' })
    const png = isFailure(drawn) ? undefined : drawn.files[0]?.bytes
    if (!png || format === 'png') return png
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'png', content: png }], to: format })
    return isFailure(end) ? undefined : end.files[0]?.bytes
  }

  async function findSpoken(format: string): Promise<Buffer | undefined> {
    const content = await readFile(fixturePath('speech.opus'))
    if (format === 'opus') return content
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'opus', content }], to: format })
    return isFailure(end) ? find(format) : end.files[0]?.bytes
  }

  return { find, findWritten, findSpoken }
}

/** A file of the right format with content for the operation: text to read, or speech. */
export function findSample(samples: Samples, { operation, from }: Pair): Promise<Buffer | undefined> {
  if (operation === 'ocr') return samples.findWritten(from)
  return operation === 'transcribe' ? samples.findSpoken(from) : samples.find(from)
}
