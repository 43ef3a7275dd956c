import type { Preset } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { isSamePreset, parsePresetFile, toPresetFile } from './preset-file.ts'

const content = {
  name: 'small',
  operation: 'convert',
  output_format: 'webp',
  options: { quality: 60, width: 800 },
  personal: false,
} as const
const preset: Preset = { ...content, id: 'a'.repeat(24), user: 'b'.repeat(24), createdAt: 'then', updatedAt: 'now' }

describe('a file of presets', () => {
  it('is read as it was written, without ids and people', () => {
    const text = toPresetFile([preset, { ...preset, output_format: null, personal: true }])
    expect(parsePresetFile(text)).toEqual([content, { ...content, output_format: null, personal: true }])
    expect(text).not.toContain(preset.id)
    expect(text).not.toContain(preset.user)
  })

  it.each([
    'no JSON',
    'null',
    '[]',
    '{"kind":"lathe-presets","version":2,"presets":[]}',
    '{"kind":"lathe-presets","version":1,"presets":{}}',
    '{"kind":"lathe-presets","version":1,"presets":[null]}',
    JSON.stringify({ kind: 'lathe-presets', version: 1, presets: [{ ...content, options: [] }] }),
    JSON.stringify({ kind: 'other', version: 1, presets: [content] }),
  ])('is not %s', (text) => {
    expect(parsePresetFile(text)).toBeUndefined()
  })
})

it('presets are the same whatever the order of their options', () => {
  expect(isSamePreset(preset, { ...content, options: { width: 800, quality: 60 } })).toBe(true)
  for (const other of [{ name: 'x' }, { output_format: null }, { personal: true }, { options: { quality: 60 } }])
    expect(isSamePreset(content, { ...content, ...other })).toBe(false)
})
