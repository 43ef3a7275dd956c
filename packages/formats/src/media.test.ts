import { describe, expect, it } from 'vitest'
import { detectFormat } from './detect.ts'
import { findFormat } from './formats.ts'

/** One byte per character, as signatures are written. */
function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

const asf = '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c'
const tail = '\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b'
const packet = `\x47${'\0'.repeat(187)}`
// Sync, MPEG-4 low complexity at 44.1 kHz in stereo, and a length of 16 bytes.
const adts = `\xff\xf1\x50\x80\x02\x1f\xfc${'\0'.repeat(9)}`

describe('detectFormat on audio and video', () => {
  it.each([
    ['flv', 'FLV\x01\x05\0\0\0\x09'],
    ['wmv', `${asf}\0\0\x40\x9e\x69\xf8${tail}\0\xc0\xef\x19\xbc${tail}`],
    ['wma', `${asf}\0\0\x40\x9e\x69\xf8${tail}`],
    ['mpg', '\0\0\x01\xba\x44\0\x04'],
    ['ts', packet.repeat(6)],
    ['ts', `\0\0\0\0${packet}`.repeat(6)],
    ['aac', adts.repeat(4)],
    ['aiff', 'FORM\0\0\0\x20AIFFCOMM'],
    ['aiff', 'FORM\0\0\0\x20AIFCFVER'],
    ['amr', '#!AMR\n\x3c'],
    ['amr', '#!AMR-WB\n\x44'],
    ['wav', 'RF64\xff\xff\xff\xffWAVEds64'],
    ['m4v', '\0\0\0\x1cftypM4V \0\0\x02\0M4V isom'],
    ['m4v', '\0\0\0\x1cftypM4VH\0\0\x02\0M4V isom'],
    ['3gp', '\0\0\0\x1cftyp3g2a\0\0\x02\x003g2a'],
  ])('names %s', (ext, head) => {
    expect(detectFormat(bytes(head + '\0'.repeat(64)))).toEqual({ ext, conclusive: true })
  })

  it.each([
    ['aac', adts],
    ['ac3', '\x0b\x77\x4a\xc9\x14\x40\x43'],
    ['mov', '\0\0\0\x6cmoov\0\0\0\x6cmvhd'],
    ['wmv', asf],
  ])('only guesses %s', (ext, head) => {
    expect(detectFormat(bytes(head + '\0'.repeat(16)))).toEqual({ ext, conclusive: false })
  })

  it('is not fooled by an occasional capital G', () => {
    expect(detectFormat(bytes(`G${'x'.repeat(187)}`.repeat(3)))?.ext).toBe('txt')
  })

  it('does not accept a playlist under another name', () => {
    for (const list of [
      '#EXTM3U\n#EXTINF:1,\nfile:///x\n',
      'ffconcat version 1.0\nfile x\n',
      '[playlist]\nFile1=x\n',
    ]) {
      expect(findFormat(detectFormat(bytes(list))?.ext ?? '')?.family).toBe('text')
    }
  })
})
