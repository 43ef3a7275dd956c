import { describe, expect, it } from 'vitest'
import { describeJob, progressOf, secondsOf } from './describe-job.ts'

const task = (operation: string, more: object = {}) =>
  ({ operation, payload: {}, status: 'created', progress: null, ...more }) as never

describe('a job in the list', () => {
  it('is described by what it makes, not by its imports and exports', () => {
    const webp = task('convert', { payload: { output_format: 'webp' } })
    expect(describeJob({ tasks: [task('import/url'), webp, webp, task('export/url')] })).toBe('convert → WEBP')
    expect(describeJob({ tasks: [task('import/url'), task('export/url')] })).toBe('import/url, export/url')
  })

  it('names three things at most', () => {
    const tasks = ['png', 'jpg', 'webp', 'avif'].map((format) =>
      task('convert', { payload: { output_format: format } }),
    )
    expect(describeJob({ tasks })).toBe('convert → PNG, convert → JPG, convert → WEBP, …')
  })

  it('counts ended tasks whole and running ones by their share', () => {
    const tasks = [
      task('import/url', { status: 'completed' }),
      task('convert', { status: 'processing', progress: { percent: 50, secondsLeft: null } }),
      task('export/url'),
      task('convert', { status: 'failed' }),
    ]
    expect(progressOf({ tasks })).toBe(0.625)
    expect(progressOf({ tasks: [] })).toBe(0)
  })

  it('takes as long as from its start to its end, or until now', () => {
    const [startedAt, now] = ['2026-01-31T12:00:00Z', new Date('2026-01-31T12:00:05Z')]
    expect(secondsOf({ startedAt, endedAt: '2026-01-31T12:00:02.500Z' }, now)).toBe(2.5)
    expect(secondsOf({ startedAt, endedAt: null }, now)).toBe(5)
    expect(secondsOf({ startedAt: null, endedAt: null }, now)).toBeUndefined()
  })
})
