import { little } from './bytes-of.ts'

const sectorBytes = 512
const none = 0xffff_ffff
const endOfChain = 0xffff_fffe

interface OleShape {
  /** The names in the root folder, each a sibling of the next. */
  readonly names: readonly string[]
  /** Names in a subfolder. */
  readonly inner?: readonly string[]
  /** The bytes of the root's class id. */
  readonly classId?: string
  /** How many sectors of content come before the directory. */
  readonly sectorsBefore?: number
}

/** A compound file without content: the allocation table, then free sectors, then a directory in one chain. */
export function oleFile({ names, inner = [], classId = '', sectorsBefore = 0 }: OleShape): string {
  const below = names.length + 1
  const entries = [
    entry('Root Entry', { child: names.length > 0 ? 1 : none, classId }),
    ...names.map((name, n) =>
      entry(name, {
        right: n + 1 < names.length ? n + 2 : none,
        child: n === 0 && inner.length > 0 ? below : none,
      }),
    ),
    ...inner.map((name, n) => entry(name, { right: n + 1 < inner.length ? below + n + 1 : none })),
  ]
  const directory = entries.join('').padEnd(Math.ceil(entries.length / 4) * sectorBytes, '\0')
  const tables = Math.ceil((1 + sectorsBefore + directory.length / sectorBytes + 8) / 128)
  const first = tables + sectorsBefore
  const places = Array.from({ length: 109 }, (_, n) => little(n < tables ? n : none, 4)).join('')
  const start = `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(16)}\x3e\0\x03\0\xfe\xff\x09\0\x06\0`.padEnd(44, '\0')
  const counts = [tables, first, 0, 4096, endOfChain, 0, endOfChain, 0].map((value) => little(value, 4)).join('')
  const next = Array.from({ length: tables * 128 }, (_, n) => {
    if (n < first || n >= first + directory.length / sectorBytes) return none
    return n + 1 < first + directory.length / sectorBytes ? n + 1 : endOfChain
  })
  const table = next.map((value) => little(value, 4)).join('')
  return start + counts + places + table + '\0'.repeat(sectorsBefore * sectorBytes) + directory
}

function entry(name: string, links: { right?: number; child?: number; classId?: string }): string {
  const { right = none, child = none, classId = '' } = links
  const wide = Array.from(name, (character) => `${character}\0`).join('')
  const front = `${wide.padEnd(64, '\0')}${little(2 * name.length + 2, 2)}\x02\x01`
  return (front + little(none, 4) + little(right, 4) + little(child, 4) + classId).padEnd(128, '\0')
}
