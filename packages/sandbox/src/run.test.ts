import { describe, expect, it } from 'vitest'
import { failureOf, type Killer, type RunEnd } from './run.ts'

const killed = (by: Killer): RunEnd => ({ kind: 'killed', by, stderr: 'x' })

describe('why a task fails after a run', () => {
  it('is nothing when the program ended well or its caller ended it', () => {
    expect(failureOf({ kind: 'exited', code: 0, stderr: '' })).toBeUndefined()
    expect(failureOf(killed('caller'))).toBeUndefined()
  })

  it('names the limit that was passed', () => {
    expect(failureOf(killed('time'))?.code).toBe('engine_timeout')
    expect(failureOf(killed('silence'))?.code).toBe('engine_timeout')
    expect(failureOf(killed('memory'))?.code).toBe('limit_exceeded')
    expect(failureOf(killed('disk'))?.code).toBe('limit_exceeded')
    expect(failureOf({ kind: 'exited', code: 153, stderr: '' })?.code).toBe('limit_exceeded')
  })

  it('names the limit to the owner', () => {
    expect(failureOf({ ...killed('memory'), beyond: 'more than 2 GiB' })).toMatchObject({ text: 'more than 2 GiB' })
    const end = { kind: 'exited', code: 153, stderr: '', beyond: 'more than 1 GiB' } as const
    expect(failureOf(end)).toMatchObject({ text: 'more than 1 GiB' })
  })

  it('is a crash otherwise, with the output of the engine for operators', () => {
    expect(failureOf({ kind: 'exited', code: 139, stderr: 'boom' })).toMatchObject({
      code: 'engine_crashed',
      detail: 'exit 139\nboom',
    })
    expect(failureOf(killed('system'))?.code).toBe('engine_crashed')
  })
})
