import { describe, expect, it } from 'vitest'
import { formatTime, parseTime } from './time.ts'

describe('times', () => {
  it.each([
    [0, '0:00'],
    [65.25, '1:05.25'],
    [3723, '1:02:03'],
    [59.999, '1:00'],
  ])('%f is written %s', (seconds, text) => {
    expect(formatTime(seconds)).toBe(text)
  })

  it.each([
    ['0:05', 5],
    ['1:05,25', 65.25],
    [' 7.5 ', 7.5],
    ['1:02:03', 3723],
    ['90', 90],
  ])('%j is read as %f', (text, seconds) => {
    expect(parseTime(text)).toBe(seconds)
  })

  it.each(['', 'a', '1:', ':5', '1:2:3:4', '-1', '1.2.3', '1e3'])('%j is no time', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })
})
