import { describe, expect, it } from 'vitest'
import { lookInFile } from './looking.ts'
import { readOleRoot } from './ole-directory.ts'
import { accessTo } from './testing/bytes-of.ts'

const none = 0xffff_ffff
const endOfChain = 0xffff_fffe

/**
 * A compound file of nearly 8 MB: its allocation table takes more sectors than the header can list, and its directory
 * has two sectors that are far from each other.
 */
function largeFile(): Uint8Array {
  const [tables, directory] = [118, [14_990, 200]]
  const bytes = new Uint8Array(512 * 15_001)
  const view = new DataView(bytes.buffer)
  const put = (at: number, value: number) => view.setUint32(at, value, true)
  const sectorAt = (sector: number) => 512 * (sector + 1)
  view.setUint16(30, 9, true)
  put(44, tables)
  put(48, directory[0] ?? 0)
  put(68, tables)
  put(72, 1)
  for (let n = 0; n < 109; n++) put(76 + 4 * n, n)
  // The positions of the other tables are in a separate sector.
  for (let n = 0; n < 127; n++) put(sectorAt(tables) + 4 * n, 109 + n < tables ? 109 + n : none)
  put(sectorAt(tables) + 508, endOfChain)
  const chain = (sector: number, next: number) => put(sectorAt(Math.floor(sector / 128)) + 4 * (sector % 128), next)
  chain(directory[0] ?? 0, directory[1] ?? 0)
  chain(directory[1] ?? 0, endOfChain)
  for (const [n, name] of ['Root Entry', 'One', 'Two', 'Three', 'Four', 'Five'].entries()) {
    const at = sectorAt(directory[Math.floor(n / 4)] ?? 0) + 128 * (n % 4)
    for (let i = 0; i < name.length; i++) view.setUint16(at + 2 * i, name.charCodeAt(i), true)
    view.setUint16(at + 64, 2 * name.length + 2, true)
    put(at + 68, none)
    put(at + 72, n > 0 && n < 5 ? n + 1 : none)
    put(at + 76, n === 0 ? 1 : none)
  }
  return bytes
}

describe('the directory of a compound file', () => {
  it('is found through places that the header has no room for, and followed where it is scattered', async () => {
    const access = accessTo(largeFile())
    const root = await lookInFile(readOleRoot(), access)
    expect(root?.names).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
    expect(access.readsSoFar()).toBeLessThan(10)
  })

  it('is read as far as possible if a neighbour does not exist', async () => {
    const bytes = largeFile()
    // The third entry names a sibling that no sector contains.
    new DataView(bytes.buffer).setUint32(512 * 14_991 + 3 * 128 + 72, 4000, true)
    const root = await lookInFile(readOleRoot(), accessTo(bytes))
    expect(root?.names).toEqual(['One', 'Two', 'Three'])
  })

  it('is not looked for in sectors of a size that does not exist', async () => {
    const bytes = largeFile()
    new DataView(bytes.buffer).setUint16(30, 40, true)
    expect(await lookInFile(readOleRoot(), accessTo(bytes))).toBeUndefined()
  })
})
