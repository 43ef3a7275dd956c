import type { Task } from '@lathe/contract'
import { expect, it } from 'vitest'
import type { Item } from './item.ts'
import { takeTask } from './take-task.ts'

const item: Item = {
  ...{ id: 'a', addedAt: 0, name: 'a.png', folder: '', size: 1, source: 'png', kind: 'image', stage: 'queued' },
  ...{ importId: 'import', editIds: ['cut'], convertId: 'convert' },
}
const task = (more: object) =>
  ({ id: 'convert', status: 'created', result: {}, queue: null, ...more }) as unknown as Task

it('a waiting file has its position and what is known about its times', () => {
  const queue = { waitsFor: 'worker', position: 3, secondsToStart: 12, secondsToEnd: 15 }
  expect(takeTask(item, task({ queue }))).toEqual({ position: 3, secondsToStart: 12, secondsToEnd: 15 })
  const unknown = { waitsFor: 'input', position: null, secondsToStart: null, secondsToEnd: null }
  expect(takeTask(item, task({ queue: unknown }))).toEqual({})
})

it('warnings of steps before the last are kept, each once', () => {
  const cut = task({ id: 'cut', status: 'completed', result: { warnings: ['smaller'] } })
  const after = { ...item, ...takeTask(item, cut) }
  expect(after.stepWarnings).toEqual(['smaller'])
  expect(takeTask(after, cut)).toEqual({})
})
