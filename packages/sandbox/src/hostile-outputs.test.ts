import { PassThrough } from 'node:stream'
import {
  afterFailure,
  cleanWarnings,
  type Failure,
  failure,
  maxAttempts,
  maxDetailBytes,
  maxFailureTextBytes,
  maxWarningBytes,
  maxWarnings,
} from '@lathe/domain'
import { hostileOutputs } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { type Answer, createConversation } from './conversation.ts'
import { failureOf } from './run.ts'
import type { ProcessEnd, SandboxedProcess } from './start-process.ts'
import { createTail } from './tail.ts'

const count = 10_000
const seed = 11
const stderrLimit = 64 * 1024

/** A process that writes the given bytes, and ends when it is killed. */
function fakeProcess() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const ended = Promise.withResolvers<ProcessEnd>()
  const end = (code: number | null) =>
    ended.resolve({ code, signal: code === null ? 'SIGKILL' : null, outOfMemory: false })
  const process: SandboxedProcess = {
    stdin,
    stdout,
    stderr: createTail(stderr, stderrLimit),
    ended: ended.promise,
    hasExited: () => false,
    setMemory: async () => {},
    beginWork: async () => {},
    endWork: async () => {},
    memoryInUse: async () => undefined,
    firstPid: Promise.resolve(undefined),
    kill: () => end(null),
  }
  return { process, stdout, stderr, end }
}

/** The answer to one request that a runner's bytes amount to, however they are cut into chunks. */
async function hear(bytes: Buffer): Promise<Answer> {
  const { process, stdout, stderr, end } = fakeProcess()
  const { ready, ask } = createConversation(process)
  stdout.write('{"ready":true}\n')
  expect(await ready).toBe(true)
  const answer = ask({ id: 1, dir: '/job/1', request: {}, onProgress: (share) => expect(share).toBeTypeOf('number') })
  const half = Math.floor(bytes.length / 2)
  stderr.write(bytes)
  stdout.write(bytes.subarray(0, half))
  stdout.end(bytes.subarray(half))
  setImmediate(() => setImmediate(() => end(1)))
  return answer
}

/** Whether PostgreSQL can store a text, and a terminal or a page may show it. */
function isClean(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)
}

function expectClean(text: string | undefined, maxBytes: number, name: string): void {
  if (text === undefined) return
  expect(isClean(text), name).toBe(true)
  expect(Buffer.byteLength(text), name).toBeLessThanOrEqual(maxBytes)
}

function expectCleanFailure({ text, detail }: Failure, name: string): void {
  expectClean(text, maxFailureTextBytes, name)
  expectClean(detail, maxDetailBytes, name)
}

/** How often a task is attempted if its engine always ends like this. */
function attemptsOf(cause: Failure): number {
  for (let attempts = 1; ; attempts++) {
    if (afterFailure(cause, { failures: attempts - 1, crashes: attempts - 1 }).kind === 'give-up') return attempts
  }
}

describe('S1: 10,000 hostile outputs', () => {
  it('each end the request to a runner, with sanitized text, and at most three attempts', async () => {
    const kinds = new Map<string, number>()
    for (const { name, bytes } of hostileOutputs(count, seed)) {
      const answer = await hear(bytes)
      kinds.set(answer.kind, (kinds.get(answer.kind) ?? 0) + 1)
      if (answer.kind === 'done') {
        const warnings = cleanWarnings(answer.result.warnings)
        expect(warnings.length, name).toBeLessThanOrEqual(maxWarnings)
        for (const warning of warnings) expectClean(warning, maxWarningBytes, name)
        continue
      }
      const cause = answer.kind === 'failed' ? answer.failure : failure('engine_crashed', { detail: answer.detail })
      expectCleanFailure(cause, name)
      expect(attemptsOf(cause), name).toBeLessThanOrEqual(maxAttempts)
    }
    // The outputs would prove nothing if all of them broke the protocol.
    expect(Math.min(kinds.get('done') ?? 0, kinds.get('failed') ?? 0, kinds.get('broken') ?? 0)).toBeGreaterThan(300)
  })

  it('each leave sanitized text of the standard error of a program', async () => {
    for (const { name, bytes } of hostileOutputs(count, seed + 1)) {
      const stream = new PassThrough()
      const tail = createTail(stream, stderrLimit)
      stream.end(bytes)
      await new Promise((resolve) => stream.once('end', resolve))
      const text = tail.text()
      expectClean(text, 3 * stderrLimit, name)
      const cause = failureOf({ kind: 'exited', code: 1, stderr: text })
      if (!cause) throw new Error('an exit with 1 is a failure')
      expectCleanFailure(cause, name)
    }
  })
})
