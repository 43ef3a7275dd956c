import type { Preset } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { conversionTo } from '../converter/conversion.ts'
import type { Descriptor } from '../converter/option-rules.ts'
import { fittingPresets, optionsOfPreset, sameOptions, toPresetOptions } from './fitting-presets.ts'

const preset = (more: Partial<Preset>) =>
  ({ operation: 'convert', output_format: 'webp', options: {}, ...more }) as Preset
const option = (name: string) =>
  ({ name, hint: '', data_type: 'integer', default_value: '', type: 'integer', conditions: [] }) as Descriptor

describe('presets for a conversion', () => {
  it('are those of its operation and target', () => {
    const others = [
      preset({ operation: 'compress' }),
      preset({ output_format: 'png' }),
      preset({ output_format: null }),
    ]
    const fitting = preset({ options: { quality: 3 } })
    expect(fittingPresets([...others, fitting], conversionTo('webp'))).toEqual([fitting])
  })

  it('set only options that there are, to values that they can have', () => {
    const options = { quality: 60, width: { deep: 1 }, unknown: 1 }
    expect(optionsOfPreset({ options }, [option('quality'), option('width')])).toEqual({ quality: 60 })
  })

  it('keep no password', () => {
    const descriptors = [option('quality'), option('output_password')]
    expect(toPresetOptions(descriptors, { quality: 60, output_password: 'secret', gone: 1 })).toEqual({ quality: 60 })
  })

  it('are known by what they set, in whatever order', () => {
    expect(sameOptions({ a: 1, b: true }, { b: true, a: 1 })).toBe(true)
    expect(sameOptions({ a: 1 }, { a: 1, b: true })).toBe(false)
    expect(sameOptions({ a: 1, c: 2 }, { a: 1, b: 2 })).toBe(false)
  })
})
