import { inflateSync } from 'node:zlib'

/** The raw content of a file, and every deflated stream in it. */
export function everyReading(bytes: Buffer): readonly string[] {
  const readings = [bytes.toString('latin1')]
  for (let at = bytes.indexOf(0x78); at !== -1; at = bytes.indexOf(0x78, at + 1)) {
    try {
      readings.push(inflateSync(bytes.subarray(at)).toString('latin1'))
    } catch {
      // Not the beginning of a stream.
    }
  }
  return readings
}
