import { secretFields } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { taskBodies } from '../bodies/bodies.ts'
import { toParameters, toPayload, toSecrets } from './to-payload.ts'

describe('payload', () => {
  it('shows every secret as *** [S-task-06, D-shape-04]', () => {
    const body = Object.fromEntries([...secretFields].map((name) => [name, `hush-${name}`]))
    expect(JSON.stringify(toPayload(body))).not.toContain('hush')
    expect(toParameters(body)).toEqual(body)
    expect(toSecrets(body)).toEqual(body)
  })

  it('names as secrets what it masks, by the marks of the fields and not by how a value looks (A4)', () => {
    expect(
      toSecrets({ filename: 'a***b.jpg', url: 'https://a.example/***', options: { title: '***' } }),
    ).toBeUndefined()
    expect(toSecrets({ bucket: 'b', secret_access_key: '***' })).toEqual({ secret_access_key: '***' })
    const url = 'https://me:***@a.example/'
    expect(toSecrets({ url, endpoint: 'https://me@a.example/' })).toEqual({ url })
    const options = { quality: 80, password: '***' }
    expect(toSecrets({ options, output_format: 'pdf' })).toEqual({ options })
  })

  it('counts every field that only a caller may read as a secret [S-task-06]', () => {
    const fields = Object.values(taskBodies).flatMap((body) => Object.entries(body.properties))
    const writeOnly = fields.filter(([, field]) => 'writeOnly' in field).map(([name]) => name)
    expect(new Set(writeOnly)).toEqual(secretFields)
  })

  it('leaves out operation and input [D-shape-03]', () => {
    expect(toPayload({ operation: 'convert', input: 'a', output_format: 'png' })).toEqual({
      output_format: 'png',
    })
  })

  it('gives connectors host and port in one type each [S-imp-21]', () => {
    expect(toParameters({ host: 2130706433, port: '22' })).toEqual({ host: '2130706433', port: 22 })
  })
})
