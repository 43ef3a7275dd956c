import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { checkOptions } from './check-options.ts'
import {
  booleanOption,
  enumOption,
  integerOption,
  needs,
  needsAny,
  textOption,
  unlessNot,
} from './option-descriptor.ts'

const about = <const Name extends string>(name: Name) => ({ name, label: name, hint: name })
const descriptors = [
  enumOption(about('page'), { a4: 'A4', a3: 'A3', none: 'None' }),
  booleanOption(
    {
      ...about('enlarge'),
      conditions: [
        needs('page', [
          { value: 'a4', hint: 'A4' },
          { value: 'a3', hint: 'A3' },
        ]),
      ],
    },
    true,
  ),
  booleanOption(about('lossless'), false),
  integerOption({ ...about('quality'), conditions: [unlessNot('lossless', 'false', 'Lossy')] }, { min: 1, max: 100 }),
]

const check = (options: Record<string, unknown>) => checkOptions(descriptors, options)

describe('a required condition [S-opt-10]', () => {
  it('unmet, leaves the option accepted, without effect, and named in a warning [D-op-21]', () => {
    for (const options of [{ enlarge: true }, { enlarge: true, page: 'none' }]) {
      const { errors, effective, warnings } = check(options)
      expect(errors).toEqual([])
      expect(effective).not.toHaveProperty('enlarge')
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain('enlarge')
    }
  })

  it('met, lets the option count', () => {
    expect(check({ enlarge: false, page: 'a3' })).toEqual({
      errors: [],
      effective: { enlarge: false, page: 'a3' },
      warnings: [],
    })
  })
})

describe('a condition that any value meets', () => {
  const options = [
    textOption(about('key'), { pattern: /^\w+$/, maxLength: 5, expects: 'a word such as abc' }),
    booleanOption({ ...about('copy'), conditions: [needsAny('key', 'Any key')] }, true),
  ]

  it('lets the option count whenever the other is given', () => {
    expect(checkOptions(options, { copy: false, key: 'x' }).effective).toEqual({ copy: false, key: 'x' })
  })

  it('unmet, names the option that is missing', () => {
    const { effective, warnings } = checkOptions(options, { copy: false })
    expect(effective).toEqual({})
    expect(warnings).toEqual(['The option copy had no effect: it needs the option key.'])
  })

  it.each([
    ['a-b', 'must be a word such as abc.'],
    ['a\nb', 'must be a word such as abc.'],
    ['abcdef', 'must have at most 5 characters.'],
    [true, 'must be a string.'],
  ])('belongs to a text that says what it must be: %j', (key, msg) => {
    expect(checkOptions(options, { key }).errors).toEqual([{ path: 'key', msg }])
  })
})

describe('a condition that is not required', () => {
  it('lets the option be used alone [S-opt-11]', () => {
    expect(check({ quality: 50 }).effective).toEqual({ quality: 50 })
  })

  it('is fine with the value it names, given in either type [S-opt-12]', () => {
    expect(check({ quality: 50, lossless: false }).errors).toEqual([])
    expect(check({ quality: 50, lossless: 'false' }).errors).toEqual([])
  })

  it('broken, is an error at the option [S-opt-12, D-op-22]', () => {
    expect(check({ quality: 50, lossless: true }).errors.map(({ path }) => path)).toEqual(['quality'])
  })
})

describe('the values of options', () => {
  it.each([
    [
      { enlarge: 'true', page: 'a4' },
      { enlarge: true, page: 'a4' },
    ],
    [{ quality: '7' }, { quality: 7 }],
    [{ quality: 100 }, { quality: 100 }],
  ])('%j are read in their types [S-opt-04]', (options, effective) => {
    expect(check(options)).toEqual({ errors: [], effective, warnings: [] })
  })

  it.each([
    [{ quality: 0 }],
    [{ quality: 101 }],
    [{ quality: 1.5 }],
    [{ quality: '' }],
    [{ quality: '0x10' }],
    [{ quality: '1e1' }],
    [{ quality: ' 5' }],
    [{ quality: Number.NaN }],
    [{ quality: null }],
    [{ quality: [5] }],
    [{ lossless: 1 }],
    [{ lossless: 'yes' }],
    [{ page: 'A4' }],
    [{ page: '-i /etc/passwd' }],
    [{ page: {} }],
    [{ unknown: 1 }],
    [JSON.parse('{"__proto__": 1}')],
  ])('%j are refused with the name of the option [S-opt-06]', (options) => {
    expect(check(options).errors.map(({ path }) => path)).toEqual(Object.keys(options))
  })

  it('explain what is allowed', () => {
    expect(check({ page: 'b5' }).errors[0]?.msg).toContain('a4, a3, none')
    expect(check({ quality: 0 }).errors[0]?.msg).toContain('from 1 to 100')
    expect(check({ x: 0 }).errors[0]?.msg).toContain('page, enlarge, lossless, quality')
  })

  it('never cause an exception', () => {
    fc.assert(
      fc.property(fc.object({ key: fc.constantFrom('page', 'quality', 'lossless', 'x') }), (o) => void check(o)),
    )
  })
})

describe('the checked values', () => {
  const { effective } = checkOptions(
    [
      integerOption(about('dpi'), { min: 1, max: 600 }),
      enumOption(about('turn'), { '90': 'Right', '270': 'Left' }, '90'),
      booleanOption(about('gray'), false),
    ],
    { dpi: '300', turn: 90, gray: 'true' },
  )

  it('have the types of their descriptors', () => {
    expectTypeOf(effective).toEqualTypeOf<{
      readonly dpi?: number
      readonly turn?: '90' | '270'
      readonly gray?: boolean
    }>()
    expect(effective).toEqual({ dpi: 300, turn: '90', gray: true })
  })

  it('are known by their names and values to the compiler', () => {
    // @ts-expect-error: no descriptor has this name
    expect(effective.dpl).toBeUndefined()
    // @ts-expect-error: the option has no such value
    expect(effective.turn === '180').toBe(false)
    // @ts-expect-error: a default is one of the values
    expect(enumOption(about('turn'), { '90': 'Right' }, '180').default_value).toBe('180')
  })
})
