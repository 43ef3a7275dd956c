import { describe, expect, it } from 'vitest'
import type { Item } from './item.ts'
import { planTargets, readinessOf } from './plan-targets.ts'

const file = (id: string, source: string, more: Partial<Item> = {}): Item => ({
  ...{ id, addedAt: 0, name: `${id}.${source}`, folder: '', size: 1, source, kind: 'image', stage: 'staged' },
  ...more,
})
const plan = (items: readonly Item[], known: Record<string, readonly string[]>, target?: string) =>
  planTargets(
    { items: new Map(items.map((item) => [item.id, item])), choices: target ? { image: { target } } : {} },
    new Map(Object.entries(known)),
  )

describe('the targets of new files', () => {
  it('are those that all files of a kind can become', () => {
    const { kinds, items } = plan([file('a', 'jpg'), file('b', 'svg')], { jpg: ['webp', 'png'], svg: ['png', 'pdf'] })
    expect([[...kinds], [...items]]).toEqual([[['image', 'png']], []])
  })

  it('wait until all sources of a kind are known', () => {
    expect(plan([file('a', 'jpg'), file('b', 'svg')], { jpg: ['webp'] }).kinds.size).toBe(0)
  })

  it('follow the most common source if no format suits all, and the others get their own', () => {
    const known = { svg: ['pdf'], jpg: ['webp'], dwg: [] }
    const { kinds, items } = plan([file('a', 'svg'), file('b', 'jpg'), file('c', 'jpg'), file('d', 'dwg')], known)
    expect([[...kinds], [...items]]).toEqual([[['image', 'webp']], [['a', 'pdf']]])
  })

  it('never replace what the user has chosen for a kind while one of its files can become that', () => {
    const known = { jpg: ['webp', 'bmp'], svg: ['pdf'] }
    const { kinds, items } = plan([file('a', 'jpg'), file('b', 'svg')], known, 'bmp')
    expect([[...kinds], [...items]]).toEqual([[], [['b', 'pdf']]])
    expect([...plan([file('b', 'svg')], known, 'bmp').kinds]).toEqual([['image', 'pdf']])
  })

  it('are not planned for files that have one, are merged or were converted', () => {
    const done = [
      file('a', 'jpg', { target: 'png' }),
      file('b', 'jpg', { partOf: 'x' }),
      file('c', 'jpg', { stage: 'done' }),
    ]
    expect(plan(done, { jpg: ['webp'] }).kinds.size).toBe(0)
  })
})

it('a file is impossible if its format is unknown or nothing can be made of it, and unknown until that is answered', () => {
  const known = new Map([
    ['jpg', ['webp']],
    ['dwg', []],
  ])
  const choices = { image: { target: 'webp' } }
  const states = ['jpg', 'dwg', '', 'svg'].map((source) => readinessOf(file('a', source), choices, known))
  expect(states).toEqual(['ready', 'impossible', 'impossible', 'unknown'])
})
