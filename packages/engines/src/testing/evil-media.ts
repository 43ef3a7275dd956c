/** What the header of a handwritten AVI file claims. */
export interface AviClaims {
  readonly width?: number
  readonly height?: number
  /** Frames per second. */
  readonly rate?: number
  /** Total number of frames. */
  readonly length?: number
  readonly streams?: number
  /** The only packet of a subtitle stream next to the video. */
  readonly subtitle?: Buffer
}

/** Makes a small AVI file with these claims in its header. */
export function makeAvi({ width = 16, height = 16, rate = 25, length = 1, streams = 1, subtitle }: AviClaims): Buffer {
  const pictures = Array.from({ length: streams }, () => videoStream({ width, height, rate, length }))
  const texts = subtitle
    ? [list('strl', chunk('strh', streamHeader('txts', '\0\0\0\0', 1, 1)), chunk('strf', Buffer.alloc(4)))]
    : []
  const main = Buffer.alloc(56)
  main.writeUInt32LE(40_000, 0)
  main.writeUInt32LE(length, 16)
  main.writeUInt32LE(pictures.length + texts.length, 24)
  main.writeUInt32LE(width, 32)
  main.writeUInt32LE(height, 36)
  const header = list('hdrl', chunk('avih', main), ...pictures, ...texts)
  const packets = [chunk('00db', Buffer.alloc(16 * 16 * 3, 128)), ...(subtitle ? [chunk('01tx', subtitle)] : [])]
  return form('RIFF', 'AVI ', header, list('movi', ...packets))
}

function videoStream({
  width,
  height,
  rate,
  length,
}: Required<Pick<AviClaims, 'width' | 'height' | 'rate' | 'length'>>) {
  const format = Buffer.alloc(40)
  format.writeUInt32LE(40, 0)
  format.writeInt32LE(width, 4)
  format.writeInt32LE(height, 8)
  format.writeUInt16LE(1, 12)
  format.writeUInt16LE(24, 14)
  return list('strl', chunk('strh', streamHeader('vids', 'DIB ', rate, length)), chunk('strf', format))
}

function streamHeader(kind: string, codec: string, rate: number, length: number): Buffer {
  const header = Buffer.alloc(56)
  header.write(kind, 0, 'latin1')
  header.write(codec, 4, 'latin1')
  header.writeUInt32LE(1, 20)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(length, 32)
  return header
}

/** A subtitle packet in the form in which AVI stores subtitle files, with any text. */
export function gab2(text: string): Buffer {
  const content = Buffer.from(text)
  const head = Buffer.alloc(11)
  head.write('GAB2\0', 0, 'latin1')
  head.writeUInt16LE(2, 5)
  head.writeUInt32LE(2, 7)
  const sizes = Buffer.alloc(6)
  sizes.writeUInt16LE(4, 0)
  sizes.writeUInt32LE(content.length, 2)
  return Buffer.concat([head, Buffer.alloc(2), sizes, content])
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function list(kind: string, ...parts: Buffer[]): Buffer {
  return form('LIST', kind, ...parts)
}

function form(name: string, kind: string, ...parts: Buffer[]): Buffer {
  return chunk(name, Buffer.concat([Buffer.from(kind, 'latin1'), ...parts]))
}
