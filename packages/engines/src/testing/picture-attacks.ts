import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import { expect } from 'vitest'
import { samplePictures } from './sample-pictures.ts'
import { openTripwire, type Tripwire } from './tripwire.ts'

/** The result of a hostile image. */
export interface PictureEnd {
  readonly code: string
  readonly text?: string | undefined
  readonly bytes?: Buffer
}

/** A bench for hostile images, with a port that no engine may reach. */
export interface PictureAttacks extends AsyncDisposable {
  readonly bench: PlanBench
  readonly tripwire: Tripwire
  readonly samples: Readonly<Record<string, Buffer>>
  convert(
    content: string | Uint8Array,
    from: string,
    asked?: { to?: string; options?: GivenOptions },
  ): Promise<PictureEnd>
  /** Expects that an ordinary image can be converted, to check that the engine still works. */
  stillWorks(): Promise<void>
}

/** Opens the bench and the port, and makes a sample of every format. */
export async function openPictureAttacks(): Promise<PictureAttacks> {
  const bench = await openPlanBench()
  const samples = await samplePictures(bench)
  const tripwire = await openTripwire()

  const convert: PictureAttacks['convert'] = async (content, from, { to = 'png', options = {} } = {}) => {
    const end = await bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })
    if (isFailure(end)) return { code: end.code, text: end.text }
    return { code: 'done', bytes: end.files[0]?.bytes ?? Buffer.alloc(0) }
  }

  return {
    bench,
    tripwire,
    samples,
    convert,
    async stillWorks() {
      expect(await convert(samples.bmp ?? '', 'bmp')).toMatchObject({ code: 'done' })
      expect(tripwire.hits()).toBe(0)
    },
    async [Symbol.asyncDispose]() {
      tripwire[Symbol.dispose]()
      await bench[Symbol.asyncDispose]()
    },
  }
}
