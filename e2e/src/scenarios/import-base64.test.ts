import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { base64Body, completed, dataBody, fixture, importFixture, newClient, outputOf } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

const refused = (json: unknown) => api.refused('POST', '/v1/process/import/base64', { json })

describe('import/base64', () => {
  it('imports the content of a data URI', async () => {
    expect(await outputOf(api, await importFixture(api, 'alpha.png'))).toEqual(fixture('alpha.png'))
  })

  it('shows its payload without the content', async () => {
    const task = await api.create('import/base64', base64Body('photo-40k.jpg'))
    expect(task.payload).toEqual({ file: '', filename: 'photo-40k.jpg' })
  })

  it('accepts at most 1,572,864 characters of content', async () => {
    const largest = dataBody(Buffer.alloc((1_572_864 / 4) * 3, 'a'), 'large.txt')
    expect(completed(await api.run('import/base64', largest)).result.files?.[0]?.size).toBe(1_179_648)
    const { status, errors } = await refused({ ...largest, file: `${largest.file}YQ==` })
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path: 'file' })
  })

  it.each([
    ['text that is no data URI', { file: 'aGVsbG8=', filename: 'a.txt' }, 'file'],
    ['a data URI that is not base64', { file: 'data:text/plain,hello', filename: 'a.txt' }, 'file'],
    ['a name without an extension', { file: 'data:text/plain;base64,aGVsbG8=', filename: 'readme' }, 'filename'],
    ['no name', { file: 'data:text/plain;base64,aGVsbG8=' }, 'filename'],
    ['no file', { filename: 'a.txt' }, 'file'],
    ['a file that is no text', { file: 7, filename: 'a.txt' }, 'file'],
  ])('refuses %s', async (_what, json, path) => {
    const { status, errors } = await refused(json)
    expect(status).toBe(400)
    expect(errors?.map((error) => error.path)).toContain(path)
  })
})
