import { createCipheriv } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A PNG full of noise, the same every time: noise is hardest to compress, so it keeps an engine busy for its size. */
export function noisePicture(width: number, height: number): Buffer {
  const rowSize = 1 + width * 3
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(
    Buffer.alloc(rowSize * height),
  )
  // The first byte of a row is its filter: none.
  for (let row = 0; row < height; row += 1) noise[row * rowSize] = 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(noise, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
