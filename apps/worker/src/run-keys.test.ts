import { firstIdAt } from '@lathe/domain'
import { objectKey } from '@lathe/storage'
import { expect, it } from 'vitest'
import { createRunKeys } from './run-keys.ts'

it('the objects of two runs differ, and expire with the task they are kept with [D-http-81]', () => {
  const taskId = firstIdAt(new Date('2026-01-02T03:04:05Z'))
  const [one, two] = [createRunKeys({ attempt: 1 }, taskId), createRunKeys({ attempt: 1 }, taskId)]
  expect(one(0)).not.toBe(two(0))
  const partsOf = (key: string) => key.split('/').slice(0, 2)
  expect(partsOf(one(0))).toEqual(partsOf(objectKey({ taskId, attempt: 1, n: 0 })))
})
