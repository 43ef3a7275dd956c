import { crc32 } from 'node:zlib'

/** A PNG with an additional text chunk right after its header. */
export function withText(png: Buffer, keyword: string, text: string): Buffer {
  return withChunk(png, 'tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'))
}

/** A PNG with an additional chunk of any kind right after its header. */
export function withChunk(png: Buffer, kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(33)])
}
