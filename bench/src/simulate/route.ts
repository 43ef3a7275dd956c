/**
 * The cell of an owner among the available ones: the one with the largest hash of cell and owner. When a cell is lost,
 * its owners spread over all others, and no other owner moves.
 */
export function cellOf(ownerId: string, cells: readonly number[]): number {
  let best = -1
  let most = -1
  for (const cell of cells) {
    const value = mix(`${cell}/${ownerId}`)
    if (value > most) [best, most] = [cell, value]
  }
  return best
}

// FNV-1a with a final mix, so that names that differ in one letter get very different hashes.
function mix(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
