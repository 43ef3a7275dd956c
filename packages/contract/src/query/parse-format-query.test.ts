import { engines } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { processingOperations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { FormatListView, OptionSetView } from '../schemas/query-views.ts'
import { onlyText, pathsOf } from '../testing/faults-of.ts'
import {
  parseFormatsQuery,
  parseOptionsQuery,
  refuseDisabledPair,
  toFormatList,
  toOptionSet,
} from './parse-format-query.ts'

const list = (raw: Record<string, string>) =>
  toFormatList([], 'convert', parseFormatsQuery(raw)).formats.map(({ ext }) => ext)

describe('format queries', () => {
  it('list what an input can become [S-query-03, S-query-08]', () => {
    expect(list({ input_format: 'jpg' })).toContain('pdf')
    expect(list({ input_format: 'jpg' })).not.toContain('svg')
  })

  it('list what can become an output [S-query-10]', () => {
    expect(list({ output_format: 'pdf' })).toContain('svg')
  })

  it('list the union for * [S-query-09, S-query-11, D-op-51]', () => {
    expect(list({ input_format: '*' })).toContain('pdf')
    expect(list({ output_format: '*' })).toContain('svg')
    expect(list({ output_format: '*' })).not.toContain('zip')
  })

  it('leave out what administrators have switched off', () => {
    const rule = (input: string | null, output: string | null) => [{ id: '0'.repeat(24), input, output, reason: null }]
    const left = (rules: ReturnType<typeof rule>, query: Parameters<typeof toFormatList>[2]) =>
      toFormatList(rules, 'convert', query).formats.map(({ ext }) => ext)
    expect(left(rule('heic', null), { input: 'heic' })).toEqual([])
    expect(left(rule('heic', null), { output: 'png' })).not.toContain('heic')
    expect(left(rule(null, 'gif'), { input: 'png' })).not.toContain('gif')
    expect(left(rule(null, 'gif'), { output: 'png' })).toContain('gif')
    expect(left(rule('png', 'gif'), { input: 'png' })).not.toContain('gif')
    expect(left(rule('png', 'gif'), { input: 'jpg' })).toContain('gif')
    const ability = parseOptionsQuery({ input_format: 'png', output_format: 'gif' }, 'convert')
    expect(pathsOf(() => refuseDisabledPair(rule(null, 'gif'), ability))).toEqual(['output_format'])
    expect(refuseDisabledPair(rule('jpg', 'gif'), ability)).toBe(ability)
  })

  it('list every format of the operation without a parameter [S-gen-16, D-op-53]', () => {
    expect(list({})).toEqual(expect.arrayContaining(['pdf', 'svg', 'jpg']))
  })

  it('refuse both parameters, even * [S-query-12, D-op-52]', () => {
    expect(onlyText(() => parseFormatsQuery({ input_format: 'jpg', output_format: 'png' }))).toMatch(
      /Give only one of the two/,
    )
    expect(pathsOf(() => parseFormatsQuery({ input_format: '*', output_format: '*' }))).toEqual(['output_format'])
  })

  it('ignore case and accept aliases [D-op-49]', () => {
    expect(list({ input_format: 'JPEG' })).toEqual(list({ input_format: 'jpg' }))
  })

  it('list nothing for an unknown extension [D-op-50]', () => {
    expect(list({ input_format: 'nope' })).toEqual([])
  })

  it('list extensions sorted, each once [D-op-48]', () => {
    for (const operation of [undefined, ...processingOperations]) {
      const found = toFormatList([], operation).formats.map(({ ext }) => ext)
      expect(found).toEqual([...new Set(found)].sort())
    }
  })

  it('list every accepted extension, an alias with the extension it stands for (C3)', () => {
    for (const operation of [undefined, ...processingOperations]) {
      const { formats } = toFormatList([], operation)
      const plain = formats.flatMap(({ ext, alias_of }) => (alias_of === undefined ? [ext] : []))
      const wanted = plain.flatMap((ext) => [ext, ...(findFormat(ext)?.aliases ?? [])])
      expect(formats.map(({ ext }) => ext)).toEqual(wanted.sort())
      for (const { ext, alias_of } of formats) expect(findFormat(ext)?.ext).toBe(alias_of ?? ext)
    }
    const [toPdf, fromPng] = [
      toFormatList([], 'convert', { output: 'pdf' }),
      toFormatList([], 'convert', { input: 'png' }),
    ]
    expect(toPdf.formats).toContainEqual(expect.objectContaining({ ext: 'jpeg', alias_of: 'jpg' }))
    expect(fromPng.formats).toContainEqual(expect.objectContaining({ ext: 'tif', alias_of: 'tiff' }))
  })

  it('return the schema of a format list [S-fmt-01, S-fmt-02]', () => {
    expect(isValid(FormatListView, toFormatList([]))).toBe(true)
  })

  it('refuse a repeated parameter', () => {
    expect(pathsOf(() => parseFormatsQuery({ input_format: ['jpg', 'png'] }))).toEqual(['input_format'])
  })

  it('refuse an empty extension', () => {
    expect(pathsOf(() => parseFormatsQuery({ input_format: '' }))).toEqual(['input_format'])
  })
})

describe('options queries', () => {
  it('return the option descriptors of a pair [S-gen-15, S-opt-01, S-query-13]', () => {
    const set = toOptionSet(parseOptionsQuery({ input_format: 'JPG', output_format: 'pdf' }, 'convert'))
    expect(set).toMatchObject({ sourceExt: 'jpg', targetExt: 'pdf', operation: 'convert' })
    expect(set.options.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['strip', 'pdf_page_size', 'enlarge_images_to_fit']),
    )
  })

  it('refuse a missing side of the pair [D-op-55]', () => {
    expect(pathsOf(() => parseOptionsQuery({ output_format: 'pdf' }, 'convert'))).toEqual(['input_format'])
    expect(pathsOf(() => parseOptionsQuery({ input_format: 'jpg' }, 'convert'))).toEqual(['output_format'])
    expect(pathsOf(() => parseOptionsQuery({}, 'compress'))).toEqual(['input_format'])
  })

  it('refuse an unsupported pair and say what is possible [D-op-55]', () => {
    expect(onlyText(() => parseOptionsQuery({ input_format: 'jpg', output_format: 'docx' }, 'convert'))).toMatch(
      /^output_format: cannot be docx for convert from jpg. Possible: /,
    )
    expect(pathsOf(() => parseOptionsQuery({ input_format: 'nope', output_format: 'pdf' }, 'convert'))).toEqual([
      'input_format',
    ])
    expect(pathsOf(() => parseOptionsQuery({ input_format: '*', output_format: 'pdf' }, 'convert'))).toEqual([
      'input_format',
    ])
  })

  it('accept one extension if the operation keeps the format', () => {
    expect(parseOptionsQuery({ input_format: 'jpg' }, 'compress')).toMatchObject({ from: 'jpg', to: 'jpg' })
  })

  it('match the schema for every ability of every engine [S-opt-02, S-opt-04, S-opt-07, S-opt-09, D-op-58]', () => {
    const abilities = engines.flatMap((engine) => engine.abilities)
    expect(abilities.length).toBeGreaterThan(50)
    expect(abilities.filter((ability) => !isValid(OptionSetView, toOptionSet(ability)))).toEqual([])
  })

  it('give every descriptor its conditions and a default as text [S-opt-06, D-op-56, D-op-57]', () => {
    const options = engines.flatMap((engine) => engine.abilities).flatMap((ability) => ability.options)
    for (const option of options) {
      expect(Array.isArray(option.conditions)).toBe(true)
      expect(typeof option.default_value).toBe('string')
      expect([option.data_type, 'enum']).toContain(option.type)
    }
  })
})
