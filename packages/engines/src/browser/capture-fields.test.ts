import { findOperation } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { pictureOptions, printOptions, quality } from '../printing/options.ts'

interface Field {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly maxLength?: number
  readonly description: string
}

const fields = findOperation('capture').body.properties as unknown as Readonly<Record<string, Field>>
const options = [...printOptions, ...pictureOptions, quality].map((option) => [option.name, option] as const)

/** What an option of a conversion accepts, as the schema of a field. */
function bounds({ enum_values, properties, data_type }: OptionDescriptor): Omit<Field, 'description'> {
  if (enum_values) return { enum: enum_values.map(({ value }) => value) }
  const { min, max, pattern, max_length } = properties ?? {}
  return {
    type: data_type,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(pattern !== undefined && { pattern }),
    ...(max_length !== undefined && { maxLength: max_length }),
  }
}

describe('a field of capture', () => {
  it.each(options)('%s is as for stored pages [S-imp-31]', (name, option) => {
    const field = fields[name]
    expect(field).toMatchObject(bounds(option))
    const usual = option.default_value || 'all'
    if (name !== 'media') expect(field?.description).toContain(`Default: ${usual}`)
  })
})
