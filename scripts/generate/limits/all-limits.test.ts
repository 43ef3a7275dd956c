import { describe, expect, it } from 'vitest'
import { renderLimits } from '../limits.ts'
import { allLimits } from './all-limits.ts'
import { bytes, count, seconds } from './limit.ts'

const limits = allLimits.flatMap((group) => group.limits)

describe('every limit', () => {
  it('is on the page, with its value', () => {
    const page = renderLimits()
    for (const { name, value, cell } of limits) {
      if (cell)
        expect(page).toMatch(new RegExp(`^\\| ${cell.row.replaceAll(/[()]/g, '\\$&')} \\|.* ${value.text} \\|`, 'm'))
      else expect(page).toContain(`| ${name} | ${value.text} |`)
    }
  })

  it('is a number above zero', () => {
    for (const { value, name } of limits) expect(value.number, name).toBeGreaterThan(0)
  })
})

describe('a value', () => {
  it('is read in the largest unit that leaves no fraction', () => {
    expect([1024 ** 3, 5 * 1024 ** 2, 64 * 1024, 100_000_000].map((size) => bytes(size).text)).toEqual([
      '1 GiB',
      '5 MiB',
      '64 KiB',
      '100,000,000 bytes',
    ])
    expect([45, 60, 120, 1800, 12_600, 720_000].map((time) => seconds(time).text)).toEqual([
      '45 seconds',
      '1 minute',
      '2 minutes',
      '30 minutes',
      '3.5 hours',
      '200 hours',
    ])
    expect(count(268_402_689).text).toBe('268,402,689')
  })
})
