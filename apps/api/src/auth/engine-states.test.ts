import { expect, it } from 'vitest'
import { servedBy, toEngineStates } from './engine-states.ts'

const all = { pools: ['transfer', 'process'], lacks: [] }
const images = { pools: ['process'], lacks: ['av', 'office', 'pdf', 'browser', 'ocr', 'route'] as const }
const transfers = { pools: ['transfer'], lacks: [] }

it('a worker without the pool of engines serves none of them', () => {
  expect(servedBy(images)).toEqual(['image'])
  expect(servedBy(transfers)).toEqual([])
  expect(servedBy(all)).toContain('route')
})

it('every family has its workers, its running tasks and the queues of all its lanes', () => {
  const queues = [
    { family: 'office', waiting: 2, oldestMs: 100 },
    { family: 'office', waiting: 3, oldestMs: 900 },
    { family: null, waiting: 7, oldestMs: 5 },
  ] as const
  const running = [
    { family: 'image', running: 4 },
    { family: null, running: 9 },
  ] as const
  const states = toEngineStates([all, images, transfers], running, queues)
  expect(states.find(({ family }) => family === 'image')).toMatchObject({ workers: 2, running: 4, waiting: 0 })
  expect(states.find(({ family }) => family === 'office')).toEqual({
    family: 'office',
    ...{ workers: 1, running: 0, waiting: 5, oldestMs: 900 },
  })
  expect(toEngineStates([], [], []).every(({ workers, oldestMs }) => workers === 0 && oldestMs === 0)).toBe(true)
})
