/** One byte per character, as signatures are written. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** A number as bytes, least significant first. */
export function little(value: number, length: number): string {
  return Array.from({ length }, (_, n) => String.fromCharCode(Math.floor(value / 256 ** n) & 255)).join('')
}

/** File access to bytes in memory that counts reads. By default packed data cannot be unpacked. */
export function accessTo(bytes: Uint8Array, inflate: (packed: Uint8Array) => Uint8Array | undefined = () => undefined) {
  let reads = 0
  return {
    size: bytes.length,
    inflate,
    async readAt(offset: number, length: number) {
      reads++
      return bytes.subarray(offset, offset + length)
    },
    readsSoFar: () => reads,
  }
}
