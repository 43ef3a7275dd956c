import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { document } from '../openapi.ts'
import { stack } from '../scenario.ts'

const anyone = createClient({ url: stack.url, recordFile: stack.recordFile })

describe('the service', () => {
  it('says that it lives', async () => {
    expect((await anyone.get('/healthz')).status).toBe(200)
  })

  it('says that it can work: the record and the storage answer', async () => {
    const { status, body } = await anyone.get<{ status: string }>('/readyz')
    expect({ status, says: body.status }).toEqual({ status: 200, says: 'ready' })
  })

  it('shows its metrics', async () => {
    const { status, bytes } = await anyone.get('/metrics', { accept: 'text/plain' })
    expect(status).toBe(200)
    expect(bytes.toString()).toContain('# TYPE')
  })

  it('serves the very document that every answer here is held against', async () => {
    const { body } = await anyone.get<object>('/openapi.json')
    expect(body).toEqual({ ...document, servers: [{ url: stack.url }] })
  })

  it('shows a reference page to a browser', async () => {
    const { status, bytes } = await anyone.get('/docs', { accept: 'text/html' })
    expect(status).toBe(200)
    expect(bytes.toString()).toContain('<html')
  })
})
