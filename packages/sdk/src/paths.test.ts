import { describe, expect, it } from 'vitest'
import { JobHandle } from './jobs.ts'
import { Lathe } from './lathe.ts'
import { TaskHandle } from './tasks.ts'
import { createTransport } from './transport.ts'

const id = '0123456789abcdef01234567'
const hostile = `${id}/../../account/keys?a=1#b`

type Method = (...args: unknown[]) => unknown

/** All methods of the client, and of a job and a task with this id. */
function methodsOf(given: string, fetch: typeof globalThis.fetch): readonly (readonly [string, Method])[] {
  const options = { baseUrl: 'http://lathe.test', key: 'k', retries: 0, fetch }
  const lathe = new Lathe(options)
  const record = { ...answer(given), name: 'a' } as never
  const owners = {
    lathe,
    'lathe.jobs': lathe.jobs,
    'lathe.tasks': lathe.tasks,
    job: new JobHandle(createTransport(options), record),
    task: new TaskHandle(createTransport(options), record),
  }
  return Object.entries(owners).flatMap(([name, owner]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(owner)).flatMap((method) => {
      const { value } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(owner), method) ?? {}
      return method !== 'constructor' && typeof value === 'function'
        ? [[`${name}.${method}`, value.bind(owner) as Method] as const]
        : []
    }),
  )
}

/** Reads as a job, a task and a page. */
function answer(taskId: string): object {
  const open = { id: taskId, name: 'a', operation: 'convert', status: 'processing', dependsOn: [], result: {} }
  return {
    ...open,
    status: 'completed',
    tasks: [open],
    docs: [],
    nextCursor: null,
    result: { url: 'http://lathe.test/zip' },
  }
}

/** The URLs that each method asks for with this id: as its argument, in its handle and in responses. */
async function urlsOf(given: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const urls: string[] = []
  const fetch = async (url: string | URL | Request) => {
    urls.push(String(url))
    return String(url).endsWith('/events') ? new Response(null, { status: 204 }) : Response.json(answer(given))
  }
  const found = new Map<string, readonly string[]>()
  for (const [name, method] of methodsOf(given, fetch)) {
    // Handles have their id. Methods may refuse the argument, or take it for something else than an id.
    await collect(() => (name.startsWith('lathe') ? method(given, {}) : method())).catch(() => undefined)
    found.set(name, urls.splice(0))
  }
  return found
}

/** Calls a method, and reads its first item if it is a list. */
async function collect(call: () => unknown): Promise<void> {
  const made = await call()
  if (made && typeof made === 'object' && Symbol.asyncIterator in made)
    for await (const _ of made as AsyncIterable<unknown>) return
}

const withId = ['lathe.jobs.get', 'lathe.jobs.runAgain', 'lathe.tasks.get', 'lathe.tasks.create', 'lathe.options']
const ofHandles = ['cancel', 'delete', 'done', 'events'].flatMap((one) => [`job.${one}`, `task.${one}`])

describe('an id in a path', () => {
  it('stays one segment of it, in every method', async () => {
    const asked = await urlsOf(id)
    const attacked = await urlsOf(hostile)
    const checked: string[] = []
    for (const [name, urls] of asked) {
      if (!urls.some((url) => url.includes(id))) continue
      checked.push(name)
      // An operation may have two parts.
      const isOperation = name === 'lathe.tasks.create'
      const inPath = isOperation ? hostile.split('/').map((part, n) => (n === 0 ? part : `/${part}`)) : [hostile]
      const encoded = isOperation
        ? `${inPath[0]}/${encodeURIComponent(inPath.slice(1).join('').slice(1))}`
        : encodeURIComponent(hostile)
      expect([name, attacked.get(name)]).toEqual([name, urls.map((url) => url.replaceAll(id, encoded))])
    }
    expect(checked).toEqual(expect.arrayContaining([...withId, ...ofHandles, 'job.zip']))
  })

  it.each(['', '.', '..'])('is refused if it is %j', async (given) => {
    const asked = await urlsOf(given)
    const requests = [...withId, ...ofHandles]
      .filter((name) => name !== 'lathe.tasks.create')
      .flatMap((name) => asked.get(name))
    expect(requests).toEqual([])
    await expect(new Lathe({ baseUrl: 'http://lathe.test' }).jobs.get(given)).rejects.toThrow(
      `${JSON.stringify(given)} is not an id`,
    )
  })
})
