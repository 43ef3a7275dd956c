import { findAbility, formatsFor } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { unavailableOperations } from '../available-operations.ts'
import { faultsOf, onlyText, pathsOf } from '../testing/faults-of.ts'
import { parseTask } from './parse-task.ts'

const input = '66f2c1a0000100a1b2c3d4e5'

describe('required fields', () => {
  it('are input and output_format for convert [S-proc-04, D-op-01]', () => {
    expect(pathsOf(() => parseTask('convert', {}))).toEqual(['input', 'output_format'])
  })

  it('is input for compress [S-proc-06, D-op-02]', () => {
    expect(pathsOf(() => parseTask('compress', {}))).toEqual(['input'])
    expect(pathsOf(() => parseTask('compress', { input }))).toEqual([])
  })

  it('are input and output_format for merge [S-proc-07, D-op-03]', () => {
    expect(pathsOf(() => parseTask('merge', {}))).toEqual(['input', 'output_format'])
  })

  it('are input and options for crop, options saying what to keep [D-op-29]', () => {
    expect(pathsOf(() => parseTask('crop', {}))).toEqual(['input', 'options'])
    expect(pathsOf(() => parseTask('crop', { input, options: { strip: true } }))).toEqual(['options'])
    expect(pathsOf(() => parseTask('crop', { input, options: { width: 10, height: 10 } }))).toEqual([])
  })

  it('are input and options for trim, options saying what to keep [D-op-30]', () => {
    const paths = (body: object) => pathsOf(() => parseTask('trim', body)).filter((path) => path !== 'operation')
    expect(paths({})).toEqual(['input', 'options'])
    expect(paths({ input, options: {} })).toEqual(['options'])
    expect(paths({ input, options: { start: 1 } })).toEqual([])
  })

  it('is input for export/url [S-exp-02]', () => {
    expect(pathsOf(() => parseTask('export/url', {}))).toEqual(['input'])
    expect(pathsOf(() => parseTask('export/url', { input, filename: 'a.zip', archive_multiple_files: true }))).toEqual(
      [],
    )
  })
})

describe('the folders of an export', () => {
  const export2 = (...folders: readonly unknown[]) =>
    pathsOf(() => parseTask('export/url', { input: [input, input], folders }))

  it('are relative paths, one for each input [D-op-84]', () => {
    expect(export2('album/day 1', '')).toEqual([])
    expect(export2('...', ' a')).toEqual([])
    expect(export2('album')).toEqual(['folders'])
    expect(export2('a', 'b', 'c')).toEqual(['folders'])
  })

  it.each(['/a', 'a/', 'a//b', '..', 'a/..', '../a', './a', 'a/./b', 'a\\b', 'a\n', 'x'.repeat(256), 1])(
    'are not %j',
    (folder) => {
      expect(export2(folder, '')).toEqual(['folders'])
    },
  )

  it('are at most 1,000 characters long, and checked quickly', () => {
    const path = '/a'.repeat(499)
    expect(export2(`ab${path}`, '')).toEqual([])
    expect(export2(`abc${path}`, '')).toEqual(['folders'])
    expect(export2('/'.repeat(100_000), '')).toEqual(['folders'])
  })
})

describe('formats', () => {
  it('refuses an output format no input can become, and lists those that can', () => {
    const text = onlyText(() => parseTask('convert', { input, output_format: 'rar' }))
    expect(text).toBe(
      `output_format: cannot be rar for convert. Possible: ${formatsFor('convert', { input: '*' }).join(', ')}.`,
    )
  })

  it('refuses a pair that is not supported when both formats are known [D-op-19]', () => {
    const text = onlyText(() => parseTask('convert', { input, input_format: 'jpg', output_format: 'mp3' }))
    expect(text).toMatch(/^output_format: cannot be mp3 for convert from jpg. Possible: .*avif, /)
  })

  it('refuses an input format the operation does not read', () => {
    expect(onlyText(() => parseTask('convert', { input, input_format: 'nope', output_format: 'png' }))).toMatch(
      /^input_format: cannot be nope for convert. Possible: .*avif, /,
    )
  })

  it('needs no input_format [S-proc-03, D-op-16]', () => {
    expect(pathsOf(() => parseTask('convert', { input, output_format: 'png' }))).toEqual([])
  })

  it('takes the usual output format of the operation where none is given', () => {
    expect(pathsOf(() => parseTask('transcribe', { input }))).toEqual([])
    expect(pathsOf(() => parseTask('transcribe', { input, input_format: 'mp4' }))).toEqual([])
    expect(pathsOf(() => parseTask('metadata', { input, input_format: 'jpg', options: { values: 'raw' } }))).toEqual([])
  })

  it('lets compress have an output_format only if it equals the input [D-op-24]', () => {
    expect(pathsOf(() => parseTask('compress', { input, input_format: 'jpg', output_format: 'JPEG' }))).toEqual([])
    expect(onlyText(() => parseTask('compress', { input, input_format: 'jpg', output_format: 'png' }))).toBe(
      'output_format: must equal input_format (jpg): compress keeps the format.',
    )
  })

  it('lets merge write pdf and gif only [S-proc-08]', () => {
    for (const output_format of ['pdf', 'GIF'])
      expect(pathsOf(() => parseTask('merge', { input, output_format }))).toEqual([])
    expect(onlyText(() => parseTask('merge', { input, output_format: 'png' }))).toMatch(/Possible: gif, pdf\.$/)
  })

  it('treats a processing operation without any engine as not available', () => {
    expect(unavailableOperations.has('trim')).toBe(formatsFor('trim').length === 0)
  })

  it('accepts a merge of one earlier task, whose files cannot be counted yet', () => {
    expect(pathsOf(() => parseTask('merge', { input: [input], output_format: 'pdf' }))).toEqual([])
  })
})

describe('options', () => {
  const convert = (body: object) => () => parseTask('convert', { input, output_format: 'webp', ...body })

  it('refuses an option that fits no input, and lists what does [S-opt-02, D-op-19]', () => {
    expect(onlyText(convert({ options: { colour: 'red' } }))).toMatch(/^options\.colour: .*quality/)
  })

  it('accepts an option that fits some input while the input is unknown', () => {
    const descriptors = (from: string) => findAbility('convert', from, 'webp')?.options.map(({ name }) => name) ?? []
    const svgOnly = descriptors('svg').filter((name) => !descriptors('jpg').includes(name))
    expect(svgOnly).toContain('density')
    expect(pathsOf(convert({ options: { density: 72 } }))).toEqual([])
  })

  it('refuses an option the known pair does not have [D-op-19]', () => {
    expect(pathsOf(convert({ input_format: 'jpg', options: { density: 72 } }))).toEqual(['options.density'])
  })

  it('takes option values given as strings [S-proc-05, D-http-17]', () => {
    expect(pathsOf(convert({ options: { quality: '80', strip: 'false' } }))).toEqual([])
  })

  it('refuses option values of the wrong type or outside their range', () => {
    expect(pathsOf(convert({ options: { quality: 'much', strip: 'maybe' } })).toSorted()).toEqual([
      'options.quality',
      'options.strip',
    ])
    expect(pathsOf(convert({ options: { quality: 101 } }))).toEqual(['options.quality'])
  })

  it('refuses option values that are objects or arrays', () => {
    for (const quality of [{}, [80]]) expect(faultsOf(convert({ options: { quality } })).length).toBe(1)
  })

  it('accepts an option whose required condition is unmet [D-op-21]', () => {
    const body = { input, input_format: 'jpg', output_format: 'pdf', options: { enlarge_images_to_fit: true } }
    expect(pathsOf(() => parseTask('convert', body))).toEqual([])
  })

  it('refuses an option that contradicts another one present, though it may stand alone [D-op-22]', () => {
    expect(pathsOf(convert({ options: { quality: 80, lossless: false } }))).toEqual([])
    expect(pathsOf(convert({ options: { quality: 80 } }))).toEqual([])
    expect(pathsOf(convert({ options: { quality: 80, lossless: true } }))).toEqual(['options.quality'])
  })

  it('lets a merge take an option that suits one of its possible inputs [S-proc-10]', () => {
    expect(pathsOf(() => parseTask('merge', { input, output_format: 'gif', options: { density: 72 } }))).toEqual([])
    expect(pathsOf(() => parseTask('merge', { input, output_format: 'gif', options: { colour: 1 } }))).toEqual([
      'options.colour',
    ])
  })
})
