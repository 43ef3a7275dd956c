import { RequestError } from '@lathe/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadPreview } from './load-preview.ts'

const { signal } = new AbortController()
const image = () => new Response('image')
const pending = () => new Response(null, { status: 202 })
const refused = (status: number) => new RequestError({ status })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Loads a preview from a service that gives these answers, the last one again and again. */
async function load(...answers: readonly (() => Response | RequestError)[]) {
  let asked = 0
  const get = async () => {
    const answer = (answers[asked++] ?? answers.at(-1))?.()
    if (answer instanceof Response) return answer
    throw answer
  }
  const loaded = loadPreview(get, '/preview', signal)
  await vi.advanceTimersByTimeAsync(70_000)
  return { text: await (await loaded)?.text(), asked }
}

describe('a preview', () => {
  it('is asked for again while it is made, and while too many are', async () => {
    expect(await load(pending, () => refused(429), pending, image)).toEqual({ text: 'image', asked: 4 })
  })

  it.each([401, 403, 404])('does not exist if the service answers %d', async (status) => {
    expect(await load(() => refused(status))).toEqual({ text: undefined, asked: 1 })
  })

  it('is given up after a minute', async () => {
    expect((await load(pending)).text).toBeUndefined()
  })

  it('is not asked for once nobody waits for it', async () => {
    const get = vi.fn(async () => image())
    await expect(loadPreview(get, '/preview', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(get).not.toHaveBeenCalled()
  })

  it('waits while two others are loaded', async () => {
    const begun: string[] = []
    const done = Promise.withResolvers<void>()
    const get = async (path: string) => {
      begun.push(path)
      await done.promise
      return image()
    }
    const all = ['/1', '/2', '/3'].map((path) => loadPreview(get, path, signal))
    await vi.advanceTimersByTimeAsync(10)
    expect(begun).toEqual(['/1', '/2'])
    done.resolve()
    const texts = await Promise.all(all.map(async (loaded) => (await loaded)?.text()))
    expect([texts, begun]).toEqual([
      ['image', 'image', 'image'],
      ['/1', '/2', '/3'],
    ])
  })
})
