import { isFailure } from '@lathe/domain'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { samplePictures, samplePng } from './sample-pictures.ts'

/** A request for an image. */
export interface Asked {
  readonly from: string
  readonly to: string
  readonly options?: GivenOptions
  readonly operation?: ProcessingOperation
}

/** An output image. */
export interface Converted {
  readonly bytes: Buffer
  readonly warnings: readonly string[]
}

/** A bench with a sample of every input format. */
export interface PictureBench extends AsyncDisposable {
  readonly bench: PlanBench
  readonly samples: Readonly<Record<string, Buffer>>
  /** Converts the sample of a format; throws if that fails. */
  convert(from: string, to: string, options?: GivenOptions): Promise<Converted>
  convertBytes(content: Uint8Array, asked: Asked): Promise<Converted>
}

/** Opens the bench and makes the samples. */
export async function openPictureBench(): Promise<PictureBench> {
  const bench = await openPlanBench()
  const samples = await samplePictures(bench)

  async function convertBytes(content: Uint8Array, { from, to, options = {}, operation = 'convert' }: Asked) {
    const end = await bench.run({ operation, sources: [{ format: from, content }], to, options })
    if (isFailure(end)) throw new Error(`${from} to ${to}: ${end.code} ${end.text} ${end.detail}`)
    return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
  }

  return {
    bench,
    samples,
    convertBytes,
    async convert(from, to, options = {}) {
      const content = from === 'png' ? await samplePng() : (samples[from] ?? Buffer.alloc(0))
      return convertBytes(content, { from, to, options })
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

/** The colors in the middle of the left and the right half. */
export async function halvesOf(bytes: Buffer): Promise<readonly (readonly number[])[]> {
  const { data, info } = await sharp(bytes).flatten().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const middle = Math.floor(info.height / 2) * info.width
  return [1, 3].map((quarter) => {
    const at = (middle + Math.floor((info.width * quarter) / 4)) * info.channels
    return [...data.subarray(at, at + Math.min(3, info.channels))]
  })
}
