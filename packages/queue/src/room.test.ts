import { expect, it } from 'vitest'
import { createRoom } from './room.ts'

it('lets those who wait in as soon as a place is free, and not before', async () => {
  const room = createRoom(2)
  await room.untilFree()
  const [first, second] = [room.enter(), room.enter()]
  let isFree = false
  const waiting = room.untilFree().then(() => {
    isFree = true
  })
  await Promise.resolve()
  expect([room.taken, isFree]).toEqual([2, false])
  first[Symbol.dispose]()
  await waiting
  expect([room.taken, isFree]).toEqual([1, true])
  second[Symbol.dispose]()
  expect(room.taken).toBe(0)
})
