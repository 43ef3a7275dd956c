import { expect, it } from 'vitest'
import { createGate } from './gate.ts'

it('admits waiters as soon as a slot is free, and not before', async () => {
  const gate = createGate(1)
  await gate.untilOpen(0)
  const slot = await gate.enter(0)
  expect(await gate.enter(0)).toBeUndefined()
  let isOpen = false
  const waiting = gate.untilOpen(0).then(() => {
    isOpen = true
  })
  await Promise.resolve()
  expect(isOpen).toBe(false)
  slot?.[Symbol.dispose]()
  slot?.[Symbol.dispose]()
  await waiting
  expect(await gate.enter(0)).toBeDefined()
  expect(await gate.enter(0)).toBeUndefined()
})
