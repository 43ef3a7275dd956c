import { describe, expect, it } from 'vitest'
import { waitFor } from './wait-for.ts'

describe('waitFor', () => {
  it('returns the first truthy value', async () => {
    const answers = [undefined, 0, 'ready', 'later']
    expect(await waitFor(() => answers.shift(), { withinMs: 1_000, everyMs: 1 })).toBe('ready')
  })

  it('names what it waited for when the time runs out', async () => {
    const waiting = waitFor(() => false, { withinMs: 5, everyMs: 1, what: 'the worker' })
    await expect(waiting).rejects.toThrow('the worker did not come true within 5 ms')
  })
})
