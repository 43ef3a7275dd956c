import { describe, expect, it } from 'vitest'
import { toCaptureFields } from './capture.ts'

const fields = (given: Record<string, string>, output = 'a.pdf') =>
  toCaptureFields(new Map(Object.entries(given)), output)

describe('the fields of a capture', () => {
  it.each([
    ['page.pdf', 'pdf'],
    ['out/page.PNG', 'png'],
    ['page.jpeg', 'jpg'],
    ['page.mht', 'mhtml'],
  ])('are for the format of %s', (output, output_format) => {
    expect(fields({}, output)).toEqual({ output_format })
  })

  it('have the type of their field', () => {
    const given = { full_page: 'false', viewport_width: '300', margin: '2.5', wait_for: '1', output_format: 'png' }
    expect(fields(given)).toEqual({
      full_page: false,
      viewport_width: 300,
      margin: 2.5,
      wait_for: '1',
      output_format: 'png',
    })
  })

  it('are refused where they say nothing', () => {
    expect(() => fields({}, 'page')).toThrow('says its format')
    expect(() => fields({ strip: 'true' })).toThrow('--strip does not apply to capture')
    expect(() => fields({ margin: '' })).toThrow('--margin is a number')
    expect(() => fields({ full_page: 'maybe' })).toThrow('--full-page is true or false')
  })
})
