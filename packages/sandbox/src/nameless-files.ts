import { readdir, readFile, stat } from 'node:fs/promises'
import { processesBelow } from './process-stat.ts'

/**
 * Bytes on a file system that processes hold in files without a name: deleted, but still open or mapped. They are in no
 * folder, and use space until the last descriptor and the last mapping are gone.
 */
export async function namelessBytes(firstPid: number, device: number): Promise<number> {
  const byInode = new Map<string, number>()
  const note = (inode: string, bytes: number) => byInode.set(inode, Math.max(bytes, byInode.get(inode) ?? 0))
  for (const pid of await processesBelow(firstPid)) {
    await noteOpen(pid, device, note)
    await noteMapped(pid, device, note)
  }
  return [...byInode.values()].reduce((sum, bytes) => sum + bytes, 0)
}

type Note = (inode: string, bytes: number) => void

async function noteOpen(pid: number, device: number, note: Note): Promise<void> {
  for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    const file = await stat(`/proc/${pid}/fd/${descriptor}`).catch(() => undefined)
    if (file?.isFile() && file.nlink === 0 && file.dev === device) note(String(file.ino), file.blocks * 512)
  }
}

// address range, permissions, offset, device, inode; a path follows
const mapping = /^([0-9a-f]+)-([0-9a-f]+) [rwxsp-]{4} ([0-9a-f]+) ([0-9a-f]+):([0-9a-f]+) (\d+) /

async function noteMapped(pid: number, device: number, note: Note): Promise<void> {
  const maps = await readFile(`/proc/${pid}/maps`, 'latin1').catch(() => '')
  for (const line of maps.split('\n').filter((one) => one.endsWith(' (deleted)'))) {
    const [, from = '', to = '', offset = '', major = '', minor = '', inode = ''] = mapping.exec(line) ?? []
    if (toDevice(Number.parseInt(major, 16), Number.parseInt(minor, 16)) !== device) continue
    note(inode, Number.parseInt(offset, 16) + Number.parseInt(to, 16) - Number.parseInt(from, 16))
  }
}

// Packs major and minor as the C library does, for device numbers that fit into 32 bits.
const toDevice = (major: number, minor: number) => (minor & 0xff) + ((major & 0xfff) << 8) + (minor >>> 8) * 2 ** 20
