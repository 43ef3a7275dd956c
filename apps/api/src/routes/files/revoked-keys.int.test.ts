import type { UploadForm as Form, Task } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let base: string

beforeAll(async () => {
  api = await startApi()
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => api[Symbol.asyncDispose]())

// Links contain the public URL; the tests replace it with the URL the api listens on.
const here = (url: string) => url.replace('https://lathe.test', base)

function send({ url, parameters }: Form): Promise<Response> {
  const body = new FormData()
  for (const [key, value] of Object.entries(parameters)) body.append(key, value)
  body.append('file', new Blob(['some text']), 'a.txt')
  return fetch(here(url), { method: 'POST', body })
}

/** A user with two keys: one to work with, one to revoke. */
async function revocable() {
  const { headers: own, userId } = await api.createKey()
  const { keyId } = await api.addKey(userId)
  const ask = async (path: string, method = 'GET') =>
    (await (await fetch(`${base}/v1/process/${path}`, { method, headers: own })).json()) as Task
  const createUpload = async () => {
    const { id, result } = await ask('import/upload', 'POST')
    if (!result.form) throw new Error('no form')
    return { id, form: result.form }
  }
  return {
    keyId,
    createUpload,
    show: (id: string) => ask(`tasks/${id}`),
    async uploaded() {
      const { id, form } = await createUpload()
      const task = (await (await send(form)).json()) as Task
      return { id, url: here(task.result.url ?? '') }
    },
  }
}

describe('a key that is revoked', () => {
  it('S12: a link ends with the revocation of a key, and the links that are shown then work', async () => {
    const one = await revocable()
    const { id, url } = await one.uploaded()
    expect((await fetch(url)).status).toBe(200)
    await api.revokeKey(one.keyId)
    expect(await (await fetch(url)).json()).toMatchObject({ status: 404, errorCode: 'not_found' })
    const { url: again = '' } = (await one.show(id)).result
    expect(again).toContain('generation=1')
    expect((await fetch(here(again))).status).toBe(200)
    expect((await fetch(here(again.replace('generation=1', 'generation=0')))).status).toBe(404)
    expect((await fetch(here(again.replace('&generation=1', '')))).status).toBe(404)
    expect((await fetch(here(again.replace('generation=1', 'generation=2')))).status).toBe(404)
  })

  it('S12: a link stays valid after a revocation that keeps links, and for every other owner', async () => {
    const [one, other] = [await revocable(), await revocable()]
    const [kept, untouched] = [(await one.uploaded()).url, (await other.uploaded()).url]
    await api.revokeKey(one.keyId, { keepLinks: true })
    expect([(await fetch(kept)).status, (await fetch(untouched)).status]).toEqual([200, 200])
  })

  it('S12: a form becomes invalid with the revocation of a key; the form that is shown then works', async () => {
    const one = await revocable()
    const { id, form } = await one.createUpload()
    await api.revokeKey(one.keyId)
    expect(await (await send(form)).json()).toMatchObject({ status: 404, errorCode: 'not_found' })
    const { form: again = form } = (await one.show(id)).result
    const mixed = { ...again, parameters: form.parameters }
    expect((await send(mixed)).status).toBe(404)
    expect((await send(again)).status).toBe(200)
    expect((await one.show(id)).status).toBe('completed')
  })
})
