import { findAbility } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { nameOf } from '../golden.ts'
import { readRecord } from '../record.ts'
import { goldens } from './all.ts'

const all = Object.values(goldens).flat()

describe('the goldens', () => {
  it('are at least 150, and 40 of each kind', () => {
    expect(all.length).toBeGreaterThanOrEqual(150)
    for (const group of Object.values(goldens)) expect(group.length).toBeGreaterThanOrEqual(40)
  })

  it('have unique names, and are all recorded', async () => {
    const names = all.map(nameOf)
    expect(new Set(names).size).toBe(names.length)
    expect([...(await readRecord()).keys()].sort()).toEqual(names.sort())
  })

  it('use only advertised conversions', () => {
    const unknown = all.filter(({ operation, inputs: [name = ''], to }) => {
      const ext = name.slice(name.lastIndexOf('.') + 1)
      return findAbility(operation, ext, to) === undefined
    })
    expect(unknown.map(nameOf)).toEqual([])
  })
})
