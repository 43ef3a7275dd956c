import { describe, expect, it } from 'vitest'
import { targetPaths } from './target-paths.ts'

const task = '0123456789abcdef01234567'
const file = (filename: string, format = 'png') => ({ filename, format })

describe('targetPaths', () => {
  it('fills in name, extension and task', () => {
    expect(targetPaths('out/{task}/{name}.{ext}', task, [file('a.b.png'), file('noext')])).toEqual([
      `out/${task}/a.b.png`,
      `out/${task}/noext.png`,
    ])
  })

  it('numbers files that would have the same path, and only those', () => {
    expect(targetPaths('x/report.pdf', task, [file('a'), file('b')])).toEqual(['x/report-1.pdf', 'x/report-2.pdf'])
    expect(targetPaths('{name}.png', task, [file('a.png'), file('b.png'), file('a.png')])).toEqual([
      'a-1.png',
      'b.png',
      'a-2.png',
    ])
    expect(targetPaths('dir.d/x', task, [file('a'), file('b')])).toEqual(['dir.d/x-1', 'dir.d/x-2'])
  })

  it('does not expand placeholders and patterns in names', () => {
    expect(targetPaths('{name}.{ext}', task, [file('{task}$&.png')])).toEqual(['{task}$&.png'])
  })
})
