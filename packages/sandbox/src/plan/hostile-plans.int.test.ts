import { lstat, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanText, type Failure, failure, isFailure, maxWarningBytes } from '@lathe/domain'
import { advertised, planTask } from '@lathe/engines'
import { rolesOf, takesTogether } from '@lathe/operations'
import { amount, type HostileOutput, hostileOutputs } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JobFolder } from '../job-folder.ts'
import { createLineReader } from '../line-reader.ts'
import type { Killer, RunEnd, RunOptions } from '../run.ts'
import { parseReply } from '../runner-protocol.ts'
import { runPlan, type Workshop } from './run-plan.ts'

const count = amount({ whole: 10_000, sample: 600 })
const never = new AbortController().signal
const killers: readonly Killer[] = ['time', 'silence', 'memory', 'disk', 'system']
let path: string

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'lathe-hostile-'))
})
afterAll(() => rm(path, { recursive: true }))

/** Creates one job folder after another, without a scratch file system. */
async function makeFolder(): Promise<JobFolder> {
  const own = await mkdtemp(join(path, 'job-'))
  const { ino } = await lstat(own)
  return {
    path: own,
    inode: ino,
    createFile: (name) => open(join(own, name), 'wx'),
    [Symbol.asyncDispose]: () => rm(own, { recursive: true }),
  }
}

/** Engines that write the given outputs, read by the same readers as those in sandboxes. */
function hostileWorkshop(outputs: Iterator<HostileOutput>): Workshop {
  let turn = 0
  const next = () => {
    turn += 1
    return (outputs.next().value as HostileOutput | undefined)?.bytes ?? Buffer.alloc(0)
  }
  const call = async (): Promise<{ kind: 'done'; result: Readonly<Record<string, unknown>> } | Failure> => {
    for (const line of next().toString('utf8').split('\n')) {
      const reply = parseReply(line)
      if (reply?.kind === 'done') return { kind: 'done', result: reply.result }
      if (reply?.kind === 'failed') return reply.failure
    }
    // Every second output that breaks the protocol is replaced with an answer, so that plans go on.
    return turn % 2 === 0 ? { kind: 'done', result: {} } : failure('engine_crashed', { detail: 'broken' })
  }
  const run = async (_: unknown, { onLine }: RunOptions): Promise<RunEnd> => {
    const reader = createLineReader(64 * 1024)
    const lines = reader.push(next())
    if (lines !== 'overlong') for (const line of lines) onLine?.(line)
    const stderr = cleanText(next().toString('utf8'), 3 * 64 * 1024)
    if (turn % 17 === 0) return { kind: 'killed', by: killers[turn % killers.length] ?? 'time', stderr }
    return { kind: 'exited', code: turn % 3 === 0 ? (turn % 255) + 1 : 0, stderr }
  }
  return {
    sandbox: { run },
    runners: { call: call as Workshop['runners']['call'] },
    takePermit: async () => ({ [Symbol.dispose]() {} }),
  }
}

it(`S1: every engine reads ${count} hostile answers of its programs without breaking, and ends`, async () => {
  const outputs = hostileOutputs(Number.POSITIVE_INFINITY, 5)
  const workshop = hostileWorkshop(outputs)
  const broken = new Map<string, string>()
  const ends = { done: 0, failed: 0 }
  for (let n = 0; n < count; n++) {
    const ability = advertised[(n * 7) % advertised.length]
    if (!ability) continue
    const { operation, from, to } = ability
    const sourceOf = (format: string, n: number) => {
      return { file: `in-${n}.${format}`, format, size: 1000, filename: `a.${format}` }
    }
    const sources = Array.from({ length: takesTogether(operation) ? 2 : 1 }, (_, n) => sourceOf(from, n))
    const roles = Object.entries(rolesOf(operation)).map(([role, { formats }], n) => {
      const format = formats && !formats.includes(from) ? (formats[0] ?? from) : from
      return [role, sourceOf(format, sources.length + n)] as const
    })
    const plan = planTask({ operation, sources, roles: Object.fromEntries(roles), to, options: {} })
    if (isFailure(plan)) continue
    await using folder = await makeFolder()
    const shares: number[] = []
    const request = {
      plan,
      folder,
      ownerId: 'o',
      signal: never,
      onProgress: (share: number) => void shares.push(share),
    }
    try {
      const end = await runPlan(workshop, request)
      ends[isFailure(end) ? 'failed' : 'done'] += 1
      if (isFailure(end)) expect(`${end.text}${end.detail}`.isWellFormed()).toBe(true)
      else for (const warning of end.warnings) expect(Buffer.byteLength(warning)).toBeLessThanOrEqual(maxWarningBytes)
      expect(shares.filter((share) => !(share >= 0 && share <= 1))).toEqual([])
    } catch (error) {
      broken.set(`${operation} ${from} ${to}`, String((error as Error).stack).slice(0, 600))
    }
  }
  expect([...broken].slice(0, 5), `${broken.size} pairs`).toEqual([])
  // The test would prove nothing if no plan finished.
  expect(Math.min(ends.done, ends.failed)).toBeGreaterThan(count / 50)
}, 300_000)
