import { expect, it } from 'vitest'
import { parseWait } from './prefer.ts'

it('reads the seconds of a wait preference, alone or among others', () => {
  expect(parseWait('wait=10')).toBe(10)
  expect(parseWait('respond-async, wait="5"')).toBe(5)
  expect(parseWait('Wait = 7; foo')).toBe(7)
})

it('waits at most 60 seconds [D-http-59]', () => {
  expect(parseWait('wait=61')).toBe(60)
  expect(parseWait('wait=999999999')).toBe(60)
})

it('ignores what it cannot read', () => {
  for (const header of [undefined, '', 'wait', 'wait=-1', 'wait=ten', 'waiting=3'])
    expect(parseWait(header)).toBeUndefined()
})
