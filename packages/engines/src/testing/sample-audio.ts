/** Audio in formats that no program of the engine root writes, made by hand. */

/** A score of four notes of half a second each; `lastPause` ticks of silence follow, 96 to half a second. */
export function sampleMidi(lastPause = 0): Buffer {
  const notes = [60, 64, 67, 72].flatMap((note) => [0, 0x90, note, 0x60, 0x60, 0x80, note, 0])
  const end = [...variableLength(lastPause), 0xff, 0x2f, 0]
  const track = Buffer.from([...notes, ...end])
  const header = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk', 'latin1')
  return Buffer.concat([header, uint32(track.length), track])
}

function variableLength(value: number): number[] {
  const low = value & 0x7f
  const rest = Math.floor(value / 128)
  return rest === 0 ? [low] : [...variableLength(rest).map((byte) => byte | 0x80), low]
}

/** A tracker module of four channels, one of which plays a square wave for 1.28 seconds. */
export function sampleMod(): Buffer {
  const wave = Buffer.from(Array.from({ length: 64 }, (_, n) => (n % 32 < 16 ? 0x60 : 0xa0)))
  // Length, tuning, volume, start and length of the loop: counted in words of two bytes.
  const instrument = Buffer.concat([Buffer.alloc(22), Buffer.from([0, 32, 0, 64, 0, 0, 0, 32])])
  const others = Buffer.alloc(30 * 30)
  const order = Buffer.concat([Buffer.from([1, 127]), Buffer.alloc(128)])
  const pattern = Buffer.alloc(64 * 4 * 4)
  // Middle C on the first instrument; the second channel sets a speed of one tick for each row.
  pattern.set([0x01, 0xac, 0x10, 0x00, 0x00, 0x00, 0x0f, 0x01])
  return Buffer.concat([Buffer.alloc(20), instrument, others, order, Buffer.from('M.K.'), pattern, wave])
}

/** A tenth of a second of DSD at 2.8 MHz on one channel: the pattern that stands for silence. */
export function sampleDsf(): Buffer {
  const [block, count] = [4096, 9]
  const data = Buffer.alloc(block * count, 0x69)
  const format = [1, 0, 1, 1, 2_822_400, 1].map((value) => uint32(value, 'little'))
  const about = Buffer.concat([...format, uint64(data.length * 8), uint32(block, 'little'), uint32(0)])
  const parts = [chunk('fmt ', about), chunk('data', data)]
  const size = 28 + parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([chunk('DSD ', Buffer.concat([uint64(size), uint64(0)])), ...parts])
}

function chunk(name: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), uint64(content.length + 12), content])
}

/** A second of Monkey's Audio in stereo, in one frame that is marked as silent. */
export function sampleApe(): Buffer {
  // Frames are stored in words of four bytes, each back to front: a checksum that announces flags, then the flags.
  const frame = Buffer.concat([uint32(0x8000_0000, 'little'), uint32(3, 'little'), Buffer.alloc(32)])
  const header = Buffer.concat([
    ...[uint16(2000), uint16(0), uint32(73_728, 'little'), uint32(44_100, 'little'), uint32(1, 'little')],
    ...[uint16(16), uint16(2), uint32(44_100, 'little')],
  ])
  const [descriptorSize, seekTableSize] = [52, 4]
  const lengths = [descriptorSize, header.length, seekTableSize, 0, frame.length, 0, 0]
  const descriptor = Buffer.concat([
    ...[Buffer.from('MAC '), uint16(3990), uint16(0)],
    ...lengths.map((length) => uint32(length, 'little')),
    Buffer.alloc(16),
  ])
  const firstFrame = uint32(descriptorSize + header.length + seekTableSize, 'little')
  return Buffer.concat([descriptor, header, firstFrame, frame])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number, order: 'big' | 'little' = 'big'): Buffer {
  const bytes = Buffer.alloc(4)
  if (order === 'big') bytes.writeUInt32BE(value)
  else bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
