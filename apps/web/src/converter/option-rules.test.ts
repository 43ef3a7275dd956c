import { describe, expect, it } from 'vitest'
import { applicable, commonOptions, type Descriptor, faultOf, fitOptions } from './option-rules.ts'

const about = { hint: '', conditions: [] }
const palette: Descriptor = { ...about, name: 'palette', data_type: 'boolean', type: 'boolean', default_value: 'false' }
const colours: Descriptor = {
  ...about,
  name: 'colours',
  data_type: 'integer',
  type: 'integer',
  default_value: '256',
  conditions: [{ name: 'palette', required: true, meta: [{ value: 'true', label: 'on' }] }],
  properties: { min: 2, max: 256 },
}
const lossless: Descriptor = { ...palette, name: 'lossless' }
const quality: Descriptor = {
  ...colours,
  name: 'quality',
  default_value: '80',
  conditions: [{ name: 'lossless', required: false, meta: [{ value: 'false', label: 'off' }] }],
  properties: { min: 1, max: 100, ranges: [{ name: 'encoder', value: 'x', min: 1, max: 50 }] },
}
const fit: Descriptor = { ...about, name: 'fit', data_type: 'string', type: 'enum', default_value: 'inside' }
const position: Descriptor = {
  ...fit,
  name: 'position',
  conditions: [{ name: 'fit', required: true, meta: [{ value: 'inside', label: '' }] }],
}
const all = [palette, colours, lossless, quality, fit, position]
const names = (descriptors: readonly Descriptor[]) => descriptors.map(({ name }) => name)

describe('which options apply', () => {
  it('hides one whose condition the default of the other does not meet', () => {
    expect(names(applicable(all, {}))).toEqual(['palette', 'lossless', 'quality', 'fit', 'position'])
  })

  it('shows it once the other is set so, and hides what contradicts', () => {
    expect(names(applicable(all, { palette: true, lossless: true }))).toEqual([
      'palette',
      'colours',
      'lossless',
      'fit',
      'position',
    ])
  })
})

describe('what is sent', () => {
  it('leaves out what the pair does not know, and what does not count', () => {
    expect(fitOptions(all, { unknown: 1, colours: 8, quality: 60 })).toEqual({ quality: 60 })
  })

  it('names the default of an option, which the service wants to be given', () => {
    expect(fitOptions(all, { position: 'top' })).toEqual({ fit: 'inside', position: 'top' })
  })
})

describe('faults', () => {
  it('finds numbers outside of their range, and fractions of whole numbers', () => {
    expect(faultOf(quality, { quality: 101 })).toEqual({ key: 'range', min: 1, max: 100 })
    expect(faultOf(quality, { quality: 1.5 })).toEqual({ key: 'range', min: 1, max: 100 })
    expect(faultOf(quality, { quality: 60, encoder: 'x' })).toEqual({ key: 'range', min: 1, max: 50 })
    expect(faultOf(quality, { quality: 60 })).toBeUndefined()
  })

  it('finds text of another form', () => {
    const pages = { ...fit, properties: { pattern: '^[0-9]+$', expects: 'digits' } }
    expect(faultOf(pages, { fit: 'x' })).toEqual({ key: 'form', expects: 'digits' })
    expect(faultOf(pages, { fit: '12' })).toBeUndefined()
  })
})

it('finds what several pairs have in common', () => {
  expect(names(commonOptions([all, [quality, fit], [{ ...fit, type: 'string' }, quality]]))).toEqual(['quality'])
})
