import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { planNightly } from './plan-nightly.ts'

const options = { seed: '5', scale: 1, collections: ['/files/poi'], engineFiles: ['a.int.test.ts'], isResumed: false }
const root = fileURLToPath(new URL('../../', import.meta.url))

function wordsOf(name: string, more = {}): readonly string[] {
  const command = planNightly({ ...options, ...more }).find((suite) => suite.name === name)?.command
  if (command === undefined) return []
  return 'program' in command ? command.program : [...command.vitest, ...command.files]
}

describe('planNightly', () => {
  it('names programs that exist', () => {
    const programs = planNightly(options).flatMap(({ command }) => ('program' in command ? command.program : []))
    const files = programs.filter((word) => word.endsWith('.ts'))
    expect(files).toHaveLength(10)
    for (const file of files) expect(existsSync(root + file), file).toBe(true)
  })

  it('takes samples by the seed, and larger ones at a larger scale', () => {
    expect(wordsOf('soak')).toContain('--seed=5')
    const countOf = (scale: number) =>
      Number(/\d+/.exec(wordsOf('soak', { scale }).join(' ').split('--count=')[1] ?? ''))
    expect(countOf(3)).toBe(3 * countOf(1))
    expect(countOf(0.001)).toBe(1)
  })

  it('continues what keeps its results', () => {
    expect(wordsOf('matrix')).not.toContain('--resume')
    for (const name of ['matrix', 'proof', 'corpus']) expect(wordsOf(name, { isResumed: true })).toContain('--resume')
    expect(wordsOf('soak', { isResumed: true })).not.toContain('--resume')
  })

  it('runs all tests of the engines, and all of the chaos', () => {
    expect(wordsOf('engines')).toEqual(['--project', 'int', 'a.int.test.ts'])
    expect(wordsOf('chaos')).toEqual(['--project', 'chaos'])
  })

  it('leaves out the corpus where there are no collections', () => {
    expect(wordsOf('corpus')).toContain('/files/poi')
    expect(planNightly({ ...options, collections: [] }).map(({ name }) => name)).not.toContain('corpus')
  })

  it('runs what compares times alone, and its whole version also with CI=true', () => {
    expect(
      planNightly(options)
        .filter(({ isAlone }) => isAlone)
        .map(({ name }) => name),
    ).toEqual(['abuse'])
    expect(wordsOf('abuse')).toContain('--unset=CI')
  })
})
