import { describe, expect, it } from 'vitest'
import { rolesOf, splitInputs } from './roles.ts'

describe('what a task depends on', () => {
  it('is separated by the roles in its payload', () => {
    const split = splitInputs('watermark', { overlay: 'logo' }, ['a', 'b', 'logo'])
    expect(split).toEqual({ inputs: ['a', 'b'], roles: { overlay: 'logo' } })
  })

  it.each([
    ['watermark', { options: { text: 'Draft' } }],
    ['convert', { overlay: 'no field of a conversion' }],
    ['an operation of another release', { overlay: 'logo' }],
  ])('is all input without a role: %s', (operation, payload) => {
    expect(splitInputs(operation, payload, ['a', 'b'])).toEqual({ inputs: ['a', 'b'], roles: {} })
  })

  it('has roles only where the operation says so', () => {
    expect(Object.keys(rolesOf('watermark'))).toEqual(['overlay'])
    expect([rolesOf('export/url'), rolesOf('merge'), rolesOf('toString')]).toEqual([{}, {}, {}])
  })
})
