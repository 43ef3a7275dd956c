import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const { signal } = new AbortController()
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('lets as many in as there is room for, and the others in the order they came', async () => {
    const turns = createTurns(1)
    const first = await turns.take(signal)
    const order: string[] = []
    const rest = ['second', 'third'].map(async (name) => {
      using _turn = await turns.take(signal)
      order.push(name)
    })
    await settled()
    expect(order).toEqual([])
    first[Symbol.dispose]()
    await Promise.all(rest)
    expect(order).toEqual(['second', 'third'])
  })

  it('makes room once for a turn that is ended twice', async () => {
    const turns = createTurns(1)
    const turn = await turns.take(signal)
    turn[Symbol.dispose]()
    turn[Symbol.dispose]()
    await turns.take(signal)
    let third = false
    turns.take(signal).then(() => {
      third = true
    })
    await settled()
    expect(third).toBe(false)
  })

  it('forgets whoever gives up waiting', async () => {
    const turns = createTurns(1)
    const first = await turns.take(signal)
    const impatient = new AbortController()
    const given = turns.take(impatient.signal)
    impatient.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    first[Symbol.dispose]()
    await turns.take(signal)
  })

  it('refuses whoever was stopped before asking', async () => {
    await expect(createTurns(1).take(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })
})
