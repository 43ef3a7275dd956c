import { readdir, readFile } from 'node:fs/promises'
import { waitFor } from '@lathe/testing'
import { expect } from 'vitest'
import { findTokens } from './find-tokens.ts'
import type { Range } from './range.ts'
import { findTokensInRecord } from './record-scan.ts'
import type { Footprint } from './residue.ts'

const MiB = 1024 ** 2
const roomToGrow = 192 * MiB
// Kept connections and the pipes of warm instances: their number depends on the concurrency so far.
const moreStreams = 40

/** The part of the safe result that concerns the service and the machine rather than one input. */
export async function expectUnharmed(range: Range, memoryBefore = range.worker.rss()): Promise<void> {
  const { canaries, tripwire, stack, worker } = range
  expect(await range.runBenign(), 'ordinary conversions afterwards').toEqual([])
  await expectNoResidue(range)
  expect(tripwire.hits(), 'tripwires touched').toEqual([])
  expect(await readdir(canaries.folder), 'something was written beside the canary').toEqual(['canary', 'canary.png'])
  expect(await readFile(canaries.file, 'utf8'), 'the canary was changed').toContain(canaries.tokens[0])
  expect(worker.rss() - memoryBefore, 'growth of the worker').toBeLessThan(roomToGrow)
  const logs = stack.processes.map((process) => process.log()).join('\n')
  expect(findTokens(Buffer.from(logs), canaries.tokens), 'tokens in logs').toEqual([])
  expect(await findTokensInRecord(stack, canaries.tokens), 'tokens in the record').toEqual([])
}

async function expectNoResidue(range: Range): Promise<void> {
  const { calm, shapes } = range
  let seen = range.footprint()
  const residue = () => residueOf(seen, shapes)
  const isClean = () => {
    seen = range.footprint()
    return residue().length === 0
  }
  // A spare instance may just be starting, and a failed one may still be shutting down. A clean state seen once is
  // enough: at the next poll another instance may be starting.
  await waitFor(isClean, { withinMs: 15_000, everyMs: 100, what: 'the end of what was started' }).catch(() => {})
  expect(residue(), 'residue').toEqual([])
  const { pid, mounts, openFiles, streams } = seen
  expect(pid, 'the worker was replaced').toBe(calm.pid)
  expect(range.worker.isRunning).toBe(true)
  expect(mounts, 'mounts changed').toBe(calm.mounts)
  expect(openFiles, 'files left open').toEqual(calm.openFiles)
  expect(streams, 'pipes and sockets left open').toBeLessThan(calm.streams + moreStreams)
}

function residueOf({ strangers, jobs, instances, spareCgroups }: Footprint, shapes: ReadonlySet<string>): string[] {
  const odd = instances.filter((shape) => !shapes.has(shape)).map((shape) => `an instance of ${shape}`)
  return [...strangers, ...jobs, ...odd, ...(spareCgroups > 0 ? [`${spareCgroups} cgroups without an instance`] : [])]
}
