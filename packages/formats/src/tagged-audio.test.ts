import { describe, expect, it } from 'vitest'
import { detectFormat, detectionBytes } from './detect.ts'
import { lookCloser } from './look-closer.ts'
import { accessTo, bytesOf } from './testing/bytes-of.ts'

/** An ID3 tag with this many bytes after its header of ten. */
function tag(length: number, flags = '\0'): string {
  const size = [21, 14, 7, 0].map((shift) => String.fromCharCode((length >> shift) & 127)).join('')
  return `ID3\x03\0${flags}${size}${'\0'.repeat(length)}`
}

// Layer 3 at 128 kbit/s and 44.1 kHz: 417 bytes. Layer 2 at 128 kbit/s and 44.1 kHz: the same.
const layer3 = `\xff\xfb\x90\x64${'\0'.repeat(413)}`
const layer2 = `\xff\xfd\x80\x04${'\0'.repeat(413)}`
const adts = `\xff\xf1\x50\x80\x02\x1f\xfc${'\0'.repeat(9)}`

const contents: readonly (readonly [ext: string, content: string])[] = [
  ['mp3', layer3.repeat(4)],
  ['mp3', layer2.repeat(4)],
  ['aac', adts.repeat(4)],
  ['flac', 'fLaC\0\0\0\x22'],
  ['ape', 'MAC \x96\x0f\0\0'],
  ['tta', 'TTA1\x01\0\x02\0'],
  ['wv', 'wvpk\0\0\0\0'],
  ['mpc', 'MP+\x07\0\0\0\0'],
  ['tak', 'tBaK\0\0\0\0'],
]

describe('audio after tags', () => {
  it.each(contents)('is %s by the bytes after the tag', (ext, content) => {
    expect(detectFormat(bytesOf(tag(100) + content))).toEqual({ ext, conclusive: true })
    expect(detectFormat(bytesOf(`${tag(100, '\x10')}3DI\x03\0\x10\0\0\0\x64${content}`))).toEqual({
      ext,
      conclusive: true,
    })
    expect(detectFormat(bytesOf(tag(10) + tag(20) + content))).toEqual({ ext, conclusive: true })
    expect(detectFormat(bytesOf(`${tag(10)}\0\0\0${content}`))).toEqual({ ext, conclusive: true })
  })

  it.each(contents)('is %s behind a cover larger than the head', async (ext, content) => {
    const file = bytesOf(tag(detectionBytes * 3) + content)
    const head = file.subarray(0, detectionBytes)
    expect(detectFormat(head)).toEqual({ ext: 'mp3', conclusive: false })
    expect(await lookCloser(head, accessTo(file))).toEqual({ ext, conclusive: true })
  })

  it('is only a guess if unknown bytes follow', () => {
    expect(detectFormat(bytesOf(`${tag(10)}nothing`))).toEqual({ ext: 'mp3', conclusive: false })
    expect(detectFormat(bytesOf('ID3 is how this sentence begins'))).toEqual({ ext: 'mp3', conclusive: false })
  })
})

describe('frames without tags', () => {
  it('are conclusive if three of them follow one another', () => {
    expect(detectFormat(bytesOf(layer3.repeat(4)))).toEqual({ ext: 'mp3', conclusive: true })
    expect(detectFormat(bytesOf(layer2.repeat(4)))).toEqual({ ext: 'mp3', conclusive: true })
  })

  it('are a guess if there is only one', () => {
    expect(detectFormat(bytesOf(`${layer3}${'x'.repeat(500)}`))).toEqual({ ext: 'mp3', conclusive: false })
  })

  it('of Dolby Digital Plus are guessed like those of Dolby Digital', () => {
    expect(detectFormat(bytesOf('\x0b\x77\x01\x7f\x34\x87\xc0\0'))).toEqual({ ext: 'ac3', conclusive: false })
  })
})
