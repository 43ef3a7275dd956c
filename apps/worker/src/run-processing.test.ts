import { expect, it } from 'vitest'
import { sharingOf } from './run-processing.ts'
import type { TaskRun } from './task-run.ts'

const sharing = (ownerId: string, id: string, isolation?: string) =>
  sharingOf({ claim: { task: { id, ownerId, payload: { ...(isolation && { isolation }) } } } } as TaskRun)

it('tasks share warm engines only with tasks of the same owner and the same isolation', () => {
  expect(sharing('a', '1')).toBe(sharing('a', '2'))
  expect(sharing('a', '1', 'x')).toBe(sharing('a', '2', 'x'))
  const all = [
    ...[sharing('a', '1'), sharing('b', '1'), sharing('a', '1', 'x'), sharing('a', '1', 'y'), sharing('b', '1', 'x')],
    ...[sharing('a', '1', 'task'), sharing('a', '2', 'task'), sharing('a', '3', 'task-1'), sharing('a', '3', 'own-x')],
  ]
  expect(new Set(all).size).toBe(all.length)
})
