import { describe, expectTypeOf, it } from 'vitest'
import type { DocumentOptions } from './documents/abilities.ts'
import type { MediaOptions } from './ffmpeg/abilities.ts'
import type { MediaJob } from './ffmpeg/job.ts'
import type { MetadataOptions } from './metadata/options.ts'
import type { DrawOptions } from './pages/options.ts'
import type { PandocOptions } from './pandoc/options.ts'
import type { PdfOptions } from './pdf/pdf-options.ts'
import type { PictureOptions } from './pictures/decoded-options.ts'
import type { PrintOptions } from './printing/options.ts'
import type { MarkOptions } from './watermark/options.ts'

describe('the options of engines', () => {
  it('have names that the compiler knows', () => {
    // One descriptor without a type would make every name a valid option.
    expectTypeOf<string>().not.toExtend<
      | keyof DocumentOptions
      | keyof DrawOptions
      | keyof MarkOptions
      | keyof MediaOptions
      | keyof MetadataOptions
      | keyof PandocOptions
      | keyof PdfOptions
      | keyof PictureOptions
      | keyof PrintOptions
    >()
  })

  it('have the types of their values', () => {
    expectTypeOf<MediaOptions['crf']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<MediaOptions['start']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<MediaOptions['fit']>().toEqualTypeOf<'inside' | 'cover' | 'fill' | 'pad' | undefined>()
    expectTypeOf<'h264'>().toExtend<MediaOptions['video_codec']>()
    expectTypeOf<'x264'>().not.toExtend<MediaOptions['video_codec']>()
    expectTypeOf<PdfOptions['angle']>().toEqualTypeOf<'90' | '180' | '270' | undefined>()
    expectTypeOf<PdfOptions['password']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<PictureOptions['strip']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<MetadataOptions['remove']>().toEqualTypeOf<'none' | 'private' | 'all' | undefined>()
  })

  it('are checked where a plan reads them', () => {
    const read = ({ options }: MediaJob) => ({
      crf: options.crf,
      // @ts-expect-error: no option of audio or video has this name
      csf: options.csf,
      // @ts-expect-error: a number has no length
      length: options.crf?.length,
    })
    expectTypeOf(read).toBeFunction()
  })
})
