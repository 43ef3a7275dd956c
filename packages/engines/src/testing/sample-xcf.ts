/** A GIMP file of one layer, packed as GIMP does: a red left half and a blue right half. */
export function sampleXcf(width = 160, height = 120): Buffer {
  const tiles: Buffer[] = []
  const tileSizes: [number, number, number, number][] = []
  for (let y = 0; y < height; y += 64) {
    for (let x = 0; x < width; x += 64) tileSizes.push([x, y, Math.min(64, width - x), Math.min(64, height - y)])
  }
  for (const [x, , across, down] of tileSizes) tiles.push(tileOf(x, across, down, width))

  const name = Buffer.from('Layer\0')
  const properties = Buffer.concat([words(17, 1), Buffer.from([1]), words(0, 0)])
  const header = Buffer.concat([Buffer.from('gimp xcf file\0'), words(width, height, 0), properties])
  const layerAt = header.length + 12
  const shown = words(6, 4, 255, 8, 4, 1, 0, 0)
  const layerHead = Buffer.concat([words(width, height, 0, name.length), name, shown])
  const hierarchyAt = layerAt + layerHead.length + 8
  const levelAt = hierarchyAt + 20
  const tilesAt = levelAt + 8 + tiles.length * 4 + 4
  const offsets = tiles.map((_, n) => tiles.slice(0, n).reduce((at, tile) => at + tile.length, tilesAt))
  return Buffer.concat([
    header,
    words(layerAt, 0, 0),
    layerHead,
    words(hierarchyAt, 0),
    words(width, height, 3, levelAt, 0),
    words(width, height, ...offsets, 0),
    ...tiles,
  ])
}

// Each channel is packed separately, in runs: the length minus one, then the value.
function tileOf(x: number, across: number, down: number, width: number): Buffer {
  const runs: number[] = []
  for (const channel of [0, 1, 2]) {
    for (let n = 0; n < across * down; n++) {
      const own = x + (n % across) < width / 2 ? 0 : 2
      const value = own === channel ? 255 : 0
      const last = runs.length - 2
      if (n > 0 && runs[last + 1] === value && (runs[last] ?? 0) < 126) runs[last] = (runs[last] ?? 0) + 1
      else runs.push(0, value)
    }
  }
  return Buffer.from(runs)
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}
