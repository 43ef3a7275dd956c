import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUploadFetch } from './upload-fetch.ts'

/** Ends as the test decides. */
class FakeRequest extends EventTarget {
  static last: FakeRequest
  readonly upload = new EventTarget()
  readonly sentHeaders: Record<string, string> = {}
  url = ''
  status = 0
  responseText = ''
  responseHeaders = ''

  open(method: string, url: string) {
    this.url = `${method} ${url}`
  }
  setRequestHeader(name: string, value: string) {
    this.sentHeaders[name] = value
  }
  getAllResponseHeaders() {
    return this.responseHeaders
  }
  send() {
    FakeRequest.last = this
  }
  abort() {
    this.end(0)
  }
  end(status: number, headers = '', text = '') {
    Object.assign(this, { status, responseHeaders: headers, responseText: text })
    this.dispatchEvent(new Event('loadend'))
  }
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('location', { origin: 'https://here.example' })
})
afterEach(() => void vi.unstubAllGlobals())

const url = 'https://public.example/v1/uploads/1?a=b'
const body = new Blob(['hello'])

describe('a fetch for uploads', () => {
  it('reports what was sent, to the own origin, and returns the response', async () => {
    const sent: number[] = []
    const answer = createUploadFetch((bytes) => sent.push(bytes))(url, {
      method: 'PATCH',
      headers: { 'upload-offset': '0' },
      body,
    })
    const { last } = FakeRequest
    last.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 3 }))
    last.end(204, 'upload-offset: 5\r\nretry-after:\r\n')
    const { status, headers } = await answer
    expect([last.url, last.sentHeaders, sent]).toEqual(['PATCH /v1/uploads/1?a=b', { 'upload-offset': '0' }, [3]])
    expect([status, headers.get('upload-offset')]).toEqual([204, '5'])
  })

  it('returns the body of a refusal', async () => {
    const answer = createUploadFetch(() => undefined)(url, { method: 'POST', body })
    FakeRequest.last.end(404, '', '{"errorCode":"form_expired"}')
    expect(await (await answer).json()).toEqual({ errorCode: 'form_expired' })
  })

  it('fails if the connection is lost, and with the reason of its signal', async () => {
    const fetch = createUploadFetch(() => undefined)
    const lost = fetch(url, { method: 'POST', body })
    FakeRequest.last.end(0)
    await expect(lost).rejects.toThrow(TypeError)
    const stop = new AbortController()
    const stopped = fetch(url, { method: 'POST', body, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
    await expect(fetch(url, { method: 'POST', body, signal: stop.signal })).rejects.toThrow('enough')
  })
})
