import { describe, expectTypeOf, it } from 'vitest'
import type { ExtensionOf, FormatOf, From, OptionsOf, To } from './option-types.ts'

type Keys<F extends From, T extends string> = keyof OptionsOf<'convert', F, T>

describe('options per pair', () => {
  it('know the format of a path', () => {
    expectTypeOf<ExtensionOf<'a.docx'>>().toEqualTypeOf<'docx'>()
    expectTypeOf<ExtensionOf<'my.report.v2.DOCX'>>().toEqualTypeOf<'docx'>()
    expectTypeOf<FormatOf<'a.docx', 'convert'>>().toEqualTypeOf<'docx'>()
    expectTypeOf<FormatOf<string, 'convert'>>().toEqualTypeOf<From>()
  })

  it('allow the targets of a format, and no others', () => {
    expectTypeOf<'pdf'>().toExtend<To<'convert', 'docx'>>()
    expectTypeOf<'mp3'>().not.toExtend<To<'convert', 'docx'>>()
    expectTypeOf<'mp3'>().toExtend<To<'convert', 'wav'>>()
    expectTypeOf<'docx'>().not.toExtend<To<'convert', 'wav'>>()
    expectTypeOf<'webp'>().toExtend<To<'convert', 'jpg'>>()
  })

  it('are those of the pair', () => {
    expectTypeOf<'pages'>().toExtend<Keys<'docx', 'pdf'>>()
    expectTypeOf<'pages'>().not.toExtend<Keys<'jpg', 'webp'>>()
    expectTypeOf<'quality'>().toExtend<Keys<'jpg', 'webp'>>()
    expectTypeOf<'quality'>().toExtend<Keys<'png', 'jpg'>>()
    expectTypeOf<'quality'>().not.toExtend<Keys<'jpg', 'bmp'>>()
    expectTypeOf<'width'>().toExtend<Keys<'png', 'webp'>>()
    expectTypeOf<'password'>().toExtend<Keys<'pdf', 'docx'>>()
    expectTypeOf<'password'>().not.toExtend<Keys<'mp4', 'mp3'>>()
    expectTypeOf<'video_codec'>().toExtend<Keys<'mov', 'mp4'>>()
    expectTypeOf<'video_codec'>().not.toExtend<Keys<'wav', 'mp3'>>()
    expectTypeOf<'dpi'>().toExtend<Keys<'pdf', 'png'>>()
    expectTypeOf<'dpi'>().not.toExtend<Keys<'wav', 'flac'>>()
    expectTypeOf<'layout'>().toExtend<Keys<'pdf', 'txt'>>()
    expectTypeOf<'layout'>().not.toExtend<Keys<'docx', 'txt'>>()
    expectTypeOf<'pages'>().toExtend<Keys<'docx', 'png'>>()
    expectTypeOf<'pages'>().not.toExtend<Keys<'flac', 'mp3'>>()
    expectTypeOf<'quality'>().toExtend<Keys<'heic', 'jpg'>>()
    expectTypeOf<'quality'>().not.toExtend<Keys<'svg', 'png'>>()
    expectTypeOf<'pdf_page_size'>().toExtend<Keys<'jpg', 'pdf'>>()
    expectTypeOf<'pdf_page_size'>().not.toExtend<Keys<'pptx', 'jpg'>>()
    expectTypeOf<'video_codec'>().toExtend<Keys<'mkv', 'webm'>>()
    expectTypeOf<'video_codec'>().not.toExtend<Keys<'mov', 'mp3'>>()
    expectTypeOf<'audio_bitrate'>().toExtend<Keys<'wav', 'mp3'>>()
  })

  it('have types of their own', () => {
    expectTypeOf<OptionsOf<'convert', 'jpg', 'webp'>['quality']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<OptionsOf<'convert', 'docx', 'pdf'>['pages']>().toEqualTypeOf<string | undefined>()
  })
})
