import { describe, expect, it } from 'vitest'
import { createProgramsAhead } from './programs-ahead.ts'
import type { ProgramHost, ProgramName, WaitingProgram } from './waiting-program.ts'

const ffmpeg: ProgramName = { profile: 'ffmpeg', program: 'ffmpeg' }
const qpdf: ProgramName = { profile: 'pdf', program: 'qpdf' }

/** Programs ahead whose programs only count what happens to them. */
function open(options: { each: number; all?: number; restMs?: number }) {
  const started: { name: ProgramName; end: () => void; isDiscarded: boolean }[] = []
  const start = async (_: ProgramHost, name: ProgramName): Promise<WaitingProgram> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let hasEnded = false
    const record = { name, isDiscarded: false, end: () => {} }
    record.end = () => {
      hasEnded = true
      resolve()
    }
    started.push(record)
    const discard = async () => {
      record.isDiscarded = true
      record.end()
    }
    return { process: { ended: promise, hasExited: () => hasEnded }, discard } as unknown as WaitingProgram
  }
  const ahead = createProgramsAhead({} as ProgramHost, options, start)
  const waiting = () => started.filter(({ isDiscarded }) => !isDiscarded).length
  return { ahead, started, waiting }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('prestarted programs', () => {
  it('wait once their kind has been used, and are each used once', async () => {
    const { ahead, started } = open({ each: 2 })
    const first = await ahead.take(ffmpeg)
    expect(started).toHaveLength(1)
    ahead.refill(ffmpeg)
    expect(started).toHaveLength(3)
    const [second, third] = [await ahead.take(ffmpeg), await ahead.take(ffmpeg)]
    expect(started).toHaveLength(3)
    expect(new Set([first, second, third]).size).toBe(3)
    await ahead.take(ffmpeg)
    expect(started).toHaveLength(4)
  })

  it('are not handed out for another program', async () => {
    const { ahead, started } = open({ each: 1 })
    ahead.refill(ffmpeg)
    await ahead.take(qpdf)
    expect(started.map(({ name }) => name)).toEqual([ffmpeg, qpdf])
  })

  it('are not handed out once they have ended', async () => {
    const { ahead, started } = open({ each: 1 })
    ahead.refill(ffmpeg)
    started[0]?.end()
    await ahead.take(ffmpeg)
    await settled()
    expect(started.map(({ isDiscarded }) => isDiscarded)).toEqual([true, false])
  })

  it('make room for the most recently used kind', async () => {
    const { ahead, started, waiting } = open({ each: 2, all: 3 })
    ahead.refill(ffmpeg)
    ahead.refill(qpdf)
    await settled()
    expect(waiting()).toBe(3)
    expect(started[0]).toMatchObject({ name: ffmpeg, isDiscarded: true })
  })

  it('are ended when unused for a while', async () => {
    const { ahead, waiting } = open({ each: 2, restMs: 1 })
    ahead.refill(ffmpeg)
    await settled()
    expect(waiting()).toBe(0)
  })

  it('are ended with the sandbox, and none is started after it', async () => {
    const { ahead, started, waiting } = open({ each: 2 })
    ahead.refill(ffmpeg)
    await ahead[Symbol.asyncDispose]()
    ahead.refill(ffmpeg)
    expect(waiting()).toBe(0)
    expect(started).toHaveLength(2)
  })

  it('are none if they are disabled', () => {
    const { ahead, started } = open({ each: 0 })
    ahead.refill(ffmpeg)
    expect(started).toEqual([])
  })
})
