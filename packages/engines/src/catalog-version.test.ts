import { operations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { catalogVersion, nameOf, versionFor } from './catalog-version.ts'
import { catalogNames } from './generated/catalog-names.ts'
import { advertised } from './registry.ts'

describe('the version a task needs', () => {
  it('is the first for everything of the first version, and never above the current one', () => {
    const [first = []] = catalogNames
    expect(first).toContain('convert.quality')
    expect(versionFor('convert', { output_format: 'webp', options: { quality: 80 } })).toBe(1)
    const needed = advertised.map(({ operation, to, options }) =>
      versionFor(operation, { output_format: to, options: Object.fromEntries(options.map(({ name }) => [name, 1])) }),
    )
    expect(Math.max(...needed)).toBeLessThanOrEqual(catalogVersion)
  })

  it('is known for every operation, option and target', () => {
    const known = new Set(catalogNames.flat())
    const names = advertised.flatMap(({ operation, to, options }) => [
      ...options.map(({ name }) => nameOf.option(operation, name)),
      nameOf.target(operation, to),
    ])
    expect([...operations, ...names].filter((name) => !known.has(name))).toEqual([])
  })

  it('contains nothing twice', () => {
    expect(catalogNames.flat().length).toBe(new Set(catalogNames.flat()).size)
  })
})
