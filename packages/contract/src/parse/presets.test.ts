import { describe, expect, it } from 'vitest'
import { faultsOf, pathsOf } from '../testing/faults-of.ts'
import { expandJob, expandTask, type KnownPresets, presetsOfJob, presetsOfTask } from './expand-presets.ts'
import { parseJob } from './parse-job.ts'
import { parsePreset, parsePresetChange } from './parse-preset.ts'
import { parseTask } from './parse-task.ts'

const id = 'a'.repeat(24)
const input = 'b'.repeat(24)
const small = { name: 'small', operation: 'convert', output_format: '.WEBP', options: { quality: 60, width: 800 } }

describe('a preset', () => {
  it('is a name, an operation, a format in one spelling and options [D-op-67]', () => {
    expect(parsePreset(small)).toEqual({
      name: 'small',
      operation: 'convert',
      outputFormat: 'webp',
      options: { quality: 60, width: 800 },
      personal: false,
    })
    expect(parsePreset({ name: 'x', operation: 'compress' })).toMatchObject({ outputFormat: null, options: {} })
  })

  it.each([
    [{ ...small, name: '' }, 'name'],
    [{ ...small, name: 'x'.repeat(101) }, 'name'],
    [{ ...small, operation: 'import/url' }, 'operation'],
    [{ ...small, output_format: undefined }, 'output_format'],
    [{ ...small, output_format: 'nonsense' }, 'output_format'],
    [{ ...small, options: { quality: 'much' } }, 'options.quality'],
    [{ ...small, options: { password: 'secret' } }, 'options.password'],
    [{ ...small, input }, 'input'],
    [{ name: 'x', operation: 'crop' }, 'options'],
  ])('is refused as %j, and %s is named [D-op-67]', (body, path) => {
    expect(pathsOf(() => parsePreset(body))).toEqual([path])
  })

  it('is changed field by field, and checked as a whole', () => {
    const preset = parsePreset(small)
    expect(parsePresetChange({ name: 'other', personal: true }, preset)).toEqual({
      ...preset,
      name: 'other',
      personal: true,
    })
    expect(parsePresetChange({ options: null }, preset).options).toEqual({})
    expect(pathsOf(() => parsePresetChange({ output_format: null }, preset))).toEqual(['output_format'])
    expect(pathsOf(() => parsePresetChange({ operation: 'merge' }, preset))).toEqual(['operation'])
  })
})

describe('a task with a preset', () => {
  const presets: KnownPresets = new Map([[id, parsePreset(small)]])

  it('has the values of the preset, which given values override [D-op-68]', () => {
    const body = { input, preset: id.toUpperCase(), options: { quality: 90 } }
    expect(presetsOfTask(body)).toEqual([id])
    expect(parseTask('convert', expandTask('convert', body, presets)).payload).toEqual({
      output_format: 'webp',
      options: { quality: 90, width: 800 },
    })
    const png = expandTask('convert', { ...body, output_format: 'png', options: { quality: null } }, presets)
    expect(png).toMatchObject({ output_format: 'png', options: { quality: 60, width: 800 } })
  })

  it('can be in a job with other tasks [D-op-68]', () => {
    const tasks = {
      photo: { operation: 'import/url', url: 'https://a.example/x.jpg' },
      small: { operation: 'convert', input: 'photo', preset: id },
      plain: { operation: 'convert', input: 'photo', output_format: 'png', preset: null },
    }
    expect(presetsOfJob({ tasks })).toEqual([id])
    const parsed = parseJob(expandJob({ tasks }, presets))
    expect(parsed.tasks.map(({ payload }) => payload.output_format)).toEqual([undefined, 'webp', 'png'])
  })

  it.each([
    [{ preset: 'c'.repeat(24) }, 'not_found'],
    [{ preset: 'small' }, 'not_found'],
    [{ preset: 7 }, 'not_found'],
  ])('is refused with %j [D-op-69]', (body, code) => {
    const faults = faultsOf(() => expandTask('convert', { input, ...body }, presets))
    expect(faults).toMatchObject([{ path: 'preset', code }])
  })

  it('is refused if the preset is for another operation, and in a job with its task named [D-op-69]', () => {
    expect(faultsOf(() => expandTask('compress', { input, preset: id }, presets))).toMatchObject([
      { path: 'preset', code: 'conflict' },
    ])
    const tasks = { a: { operation: 'merge', input, preset: id } }
    expect(pathsOf(() => expandJob({ tasks }, presets))).toEqual(['tasks.a.preset'])
  })

  it.each([undefined, null, 7, 'x', [], { tasks: 7 }, { tasks: { a: 7 } }, { tasks: { a: { preset: id } }, x: 1 }])(
    'leaves an invalid job unchanged for later checks: %j',
    (body) => {
      const given = faultsOf(() => expandJob(body, presets))
      expect(given.length > 0 || expandJob(body, presets) === body).toBe(true)
    },
  )
})
