import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { zip } from '../../../fixtures/zip.ts'
import type { Chance } from '../chance.ts'
import { openZip } from '../outputs.ts'

// From one bit in ten thousand, which parsers hardly notice, to one in fifty, which destroys most of the file.
const ratios = ['0.0001', '0.0005', '0.002', '0.004', '0.02']
// Every second time this much of the header is spared: a file that is not recognized reaches no engine.
const head = 64

/**
 * A file with bits flipped by zzuf; the same for the same random numbers. In an archive, sometimes only in one part of
 * it.
 */
export async function mutate(content: Buffer, chance: Chance): Promise<Buffer> {
  const isArchive = content.toString('latin1', 0, 2) === 'PK'
  // With bits flipped in the packed data, an archive fails by its checksums: its contents would never be read.
  if (isArchive && chance.between(0, 2) > 0) return mutatePart(content, chance)
  return zzuf(content, chance, chance.between(0, 1) === 0 ? head : 0)
}

async function mutatePart(content: Buffer, chance: Chance): Promise<Buffer> {
  const parts = [...(await openZip(content))]
  const [chosen] = chance.pick(parts.filter(([name, bytes]) => name !== 'mimetype' && bytes.length > 0))
  const changed = parts.map(async ([name, bytes]) => ({
    name,
    content: name === chosen ? await zzuf(bytes, chance, 0) : bytes,
    stored: name === 'mimetype',
  }))
  return zip(await Promise.all(changed))
}

async function zzuf(content: Buffer, chance: Chance, spared: number): Promise<Buffer> {
  const seed = chance.between(0, 2 ** 31 - 1)
  const args = ['-s', `${seed}`, '-r', chance.pick(ratios), ...(spared > 0 ? ['-b', `${spared}-`] : [])]
  const child = spawn('zzuf', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  child.stdin.end(content)
  const changed = await Promise.race([buffer(child.stdout), failed])
  if (changed.length !== content.length) throw new Error('zzuf did not give the whole file back')
  return changed
}
