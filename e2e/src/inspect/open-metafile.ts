import { type Facts, type Given, refuse } from './facts.ts'

export function isMetafile(format: string): boolean {
  return format === 'emf' || format === 'wmf'
}

/** Parses a Windows metafile: it must be a chain of records from the header to the end record. */
export function openMetafile({ format, bytes }: Given): Facts {
  const isWhole = format === 'emf' ? walkEmf(bytes) : walkWmf(bytes)
  return isWhole ? { format } : refuse(format, 'its records do not lead to its end')
}

const endOfEmf = 14

// Each record begins with its type and its size in bytes (MS-EMF 2.3).
function walkEmf(bytes: Buffer): boolean {
  if (bytes.readUInt32LE(0) !== 1 || bytes.toString('latin1', 40, 44) !== ' EMF') return false
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    if (bytes.readUInt32LE(at) === endOfEmf) return at + size === bytes.length
    if (size < 8) return false
    at += size
  }
  return false
}

// A placeable header of 22 bytes, one of 18, then records that begin with their size in words and their function
// (MS-WMF 2.3).
function walkWmf(bytes: Buffer): boolean {
  if (bytes.readUInt32LE(0) !== 0x9ac6cdd7) return false
  for (let at = 22 + 18; at + 6 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at) * 2
    if (bytes.readUInt16LE(at + 4) === 0) return true
    if (size < 6) return false
    at += size
  }
  return false
}
