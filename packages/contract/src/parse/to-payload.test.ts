import { secretFields } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { taskBodies } from '../bodies/bodies.ts'
import { toParameters, toPayload } from './to-payload.ts'

describe('payload', () => {
  it('shows every secret as ***', () => {
    const body = Object.fromEntries([...secretFields].map((name) => [name, `hush-${name}`]))
    expect(JSON.stringify(toPayload(body))).not.toContain('hush')
    expect(toParameters(body)).toEqual(body)
  })

  it('counts every field that only a caller may read as a secret', () => {
    const fields = Object.values(taskBodies).flatMap((body) => Object.entries(body.properties))
    const writeOnly = fields.filter(([, field]) => 'writeOnly' in field).map(([name]) => name)
    expect(new Set(writeOnly)).toEqual(secretFields)
  })

  it('leaves out operation and input', () => {
    expect(toPayload({ operation: 'convert', input: 'a', output_format: 'png' })).toEqual({
      output_format: 'png',
    })
  })

  it('gives connectors host and port in one type each', () => {
    expect(toParameters({ host: 2130706433, port: '22' })).toEqual({ host: '2130706433', port: 22 })
  })
})
