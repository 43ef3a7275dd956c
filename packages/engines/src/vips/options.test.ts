import { describe, expect, it } from 'vitest'
import { abilities } from '../pictures/abilities.ts'
import { readOption } from '../read-option.ts'

function optionsOf(operation: string, from: string, to: string) {
  const found = abilities.find(
    (ability) => ability.operation === operation && ability.from === from && ability.to === to,
  )
  return found?.options ?? []
}

describe('the options of jpg to pdf', () => {
  const [strip, pageSize, enlarge, ...others] = optionsOf('convert', 'jpg', 'pdf')

  it('are those of the specification, and whether to refuse damaged files', () => {
    expect([strip?.name, pageSize?.name, enlarge?.name]).toEqual(['strip', 'pdf_page_size', 'enlarge_images_to_fit'])
    expect(others.map(({ name }) => name)).toEqual(['strict'])
  })

  it('strip metadata by default [S-opt-13]', () => {
    expect(strip).toMatchObject({ data_type: 'boolean', type: 'boolean', default_value: 'true', conditions: [] })
    expect(strip?.hint).toBe('Strips profiles, EXIF and comments to reduce size.')
  })

  it('take a page size from a list, and none by default [S-opt-07, S-opt-14, D-op-56]', () => {
    expect(pageSize).toMatchObject({ data_type: 'string', type: 'enum', default_value: '', conditions: [] })
    expect(pageSize?.enum_values?.slice(0, 3)).toEqual([
      { value: 'same-as-image', hint: 'Same as image' },
      { value: '1240.2x1753.95', hint: 'A4' },
      { value: '1753.95x2480.25', hint: 'A3' },
    ])
    expect(pageSize?.enum_values?.length).toBeGreaterThan(10)
  })

  it('enlarge only where a page size is given [S-opt-08, S-opt-09, S-opt-15]', () => {
    expect(enlarge).toMatchObject({ data_type: 'boolean', type: 'boolean', default_value: 'true' })
    const values = pageSize?.enum_values?.map(({ value, hint }) => ({ value, label: hint }))
    expect(enlarge?.conditions).toEqual([{ name: 'pdf_page_size', required: true, meta: values }])
  })
})

describe('every descriptor', () => {
  const all = abilities.flatMap(({ operation, from, to, options }) =>
    options.map((option) => ({ where: `${operation} ${from} ${to} ${option.name}`, option, siblings: options })),
  )

  it('has a default that it would accept itself [S-opt-05]', () => {
    const bad = all.filter(
      ({ option }) => option.default_value !== '' && 'msg' in readOption(option, option.default_value),
    )
    expect(bad.map(({ where }) => where)).toEqual([])
  })

  it('depends only on options of the same set, with values those accept [S-opt-08]', () => {
    for (const { where, option, siblings } of all) {
      for (const { name, meta } of option.conditions) {
        const other = siblings.find((sibling) => sibling.name === name)
        if (other === undefined) throw new Error(`${where} depends on ${name}, which is not there`)
        for (const { value } of meta) expect(readOption(other, value), where).toHaveProperty('value')
      }
    }
  })

  it('is named once in its set and says what it is for [S-opt-03]', () => {
    for (const { where, option, siblings } of all) {
      expect(
        siblings.filter(({ name }) => name === option.name),
        where,
      ).toHaveLength(1)
      expect(option.hint, where).not.toBe('')
      expect(option.type, where).toBe(option.enum_values ? 'enum' : option.data_type)
    }
  })
})
