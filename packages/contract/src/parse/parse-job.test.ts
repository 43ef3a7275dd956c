import { describe, expect, it } from 'vitest'
import { availableOperations } from '../available-operations.ts'
import { limits } from '../limits.ts'
import { faultsOf, onlyText, pathsOf } from '../testing/faults-of.ts'
import { parseJob } from './parse-job.ts'

const id = '66f2c1a0000100a1b2c3d4e5'
const upload = { operation: 'import/upload' }
const convert = (input: unknown) => ({ operation: 'convert', input, output_format: 'png' })
const merge = (input: unknown) => ({ operation: 'merge', input, output_format: 'pdf' })
const job = (tasks: Record<string, unknown>) => () => parseJob({ tasks })

describe('a job', () => {
  it('holds its tasks in the order of the request, with names, inputs and payloads [S-jobs-13]', () => {
    const { tasks } = parseJob({
      tasks: {
        photo: { operation: 'import/url', url: 'https://a.example/b.jpg' },
        webp: { operation: 'convert', input: 'photo', output_format: 'webp' },
        thumb: { operation: 'convert', input: ['photo'], output_format: 'png', options: { width: 100 } },
        webpLink: { operation: 'export/url', input: 'webp' },
        thumbLink: { operation: 'export/url', input: ['thumb'] },
      },
    })
    expect(tasks.map(({ name }) => name)).toEqual(['photo', 'webp', 'thumb', 'webpLink', 'thumbLink'])
    expect(tasks[2]).toMatchObject({
      inputs: [{ kind: 'sibling', value: 'photo', path: 'tasks.thumb.input[0]' }],
      payload: { output_format: 'png', options: { width: 100 } },
    })
    expect(tasks[2]?.payload).not.toHaveProperty('operation')
  })

  it('may consist of imports alone [D-op-11]', () => {
    expect(parseJob({ tasks: { a: upload, b: upload } }).tasks.length).toBe(2)
  })

  it('has a tag of any text up to 1,000 characters, or null (C9) [S-job-02, S-jobs-08]', () => {
    expect(parseJob({ tasks: { a: upload } }).tag).toBeNull()
    expect(parseJob({ tag: 'ü'.repeat(1000), tasks: { a: upload } }).tag).toHaveLength(1000)
    for (const tag of ['', null]) expect(parseJob({ tag, tasks: { a: upload } }).tag).toBeNull()
    for (const tag of ['x'.repeat(1001), 5, ['x']])
      expect(pathsOf(() => parseJob({ tag, tasks: { a: upload } }))).toEqual(['tag'])
  })

  it('refuses a body that is not an object', () => {
    for (const body of [undefined, null, [], 'x']) expect(pathsOf(() => parseJob(body))).toEqual(['body'])
  })

  it('refuses an unknown field and lists what is allowed', () => {
    expect(onlyText(() => parseJob({ tasks: { a: upload }, callback: 'https://a.example' }))).toBe(
      'callback: is unknown. Allowed: tag, tasks, webhook_url.',
    )
  })

  it('needs tasks, as an object [S-jobs-09]', () => {
    for (const body of [{}, { tasks: null }, { tasks: [] }, { tasks: 'x' }])
      expect(pathsOf(() => parseJob(body))).toEqual(['tasks'])
  })

  it('needs at least one task [S-jobs-10, S-lim-09]', () => {
    expect(pathsOf(job({}))).toEqual(['tasks'])
  })

  it('holds at most 100 tasks [D-op-13]', () => {
    const tasks = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, upload]))
    expect(limits.tasksPerJob).toBe(100)
    expect(pathsOf(job(tasks(99)))).toEqual([])
    expect(pathsOf(job(tasks(100)))).toEqual([])
    expect(pathsOf(job(tasks(101)))).toEqual(['tasks'])
  })

  it('holds at most 20 tasks that wait for one another in a row', () => {
    const row = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, n === 0 ? upload : convert(`t${n - 1}`)]))
    expect(limits.tasksInRow).toBe(20)
    expect(pathsOf(job(row(19)))).toEqual([])
    expect(pathsOf(job(row(20)))).toEqual([])
    expect(onlyText(job(row(21)))).toMatch(/^tasks: hold 21 .* at most 20/)
  })

  it('names every faulty field of every task [S-jobs-14]', () => {
    expect(
      pathsOf(job({ a: { operation: 'import/url' }, b: { operation: 'convert', input: 'a', colour: 1 } })),
    ).toEqual(['tasks.a.url', 'tasks.b.colour', 'tasks.b.output_format'])
  })

  it('accepts key_prefix [S-jobs-15]', () => {
    const task = {
      operation: 'import/objstore_a',
      bucket: 'b',
      region: 'r',
      access_key_id: 'i',
      secret_access_key: 's',
      key_prefix: 'a/',
    }
    expect(pathsOf(job({ a: task }))).toEqual([])
  })

  it('refuses __proto__ as a task name', () => {
    expect(pathsOf(() => parseJob(JSON.parse('{"tasks": {"__proto__": {"operation": "import/upload"}}}')))).toEqual([
      'tasks.__proto__',
    ])
  })
})

describe('a task name [D-op-12]', () => {
  it('consists of letters, digits, dashes and underscores [S-jobs-11, S-lim-08]', () => {
    expect(pathsOf(job({ 'A-z_09': upload, constructor: upload, toString: upload }))).toEqual([])
    for (const name of ['a b', 'a.b', 'ä', 'a/b', '']) expect(pathsOf(job({ [name]: upload })).length).toBe(1)
  })

  it('has at most 64 characters', () => {
    expect(pathsOf(job({ ['a'.repeat(64)]: upload }))).toEqual([])
    expect(pathsOf(job({ ['a'.repeat(65)]: upload })).length).toBe(1)
  })
})

describe('the operation of a task in a job', () => {
  it('is required and must be known: the refusal lists the operations [S-http-09, S-jobs-12]', () => {
    const list = `Available: ${availableOperations.join(', ')}.`
    expect(onlyText(job({ a: {} }))).toBe(`tasks.a.operation: is required. ${list}`)
    for (const operation of ['fold', 'constructor', '', 5, null]) {
      expect(onlyText(job({ a: { operation } }))).toBe(`tasks.a.operation: is unknown. ${list}`)
    }
  })

  it('is refused together with its task if the definition is no object', () => {
    for (const task of [null, 'import/upload', [], 5]) expect(pathsOf(job({ a: task }))).toEqual(['tasks.a'])
  })
})

describe('input inside a job', () => {
  it('may be the id of an earlier task, in any case', () => {
    const { tasks } = parseJob({ tasks: { a: convert(id.toUpperCase()) } })
    expect(tasks[0]?.inputs).toEqual([{ kind: 'task', value: id, path: 'tasks.a.input' }])
  })

  it('is a name rather than an id where it can be both [D-op-06]', () => {
    const { tasks } = parseJob({ tasks: { [id]: upload, a: convert(id) } })
    expect(tasks[1]?.inputs).toEqual([{ kind: 'sibling', value: id, path: 'tasks.a.input' }])
  })

  it('may come later in the request than the task that uses it', () => {
    expect(pathsOf(job({ b: convert('a'), a: upload }))).toEqual([])
  })

  it('refuses an unknown name and lists the names [D-op-09]', () => {
    expect(onlyText(job({ a: upload, b: convert(['a', 'c']) }))).toBe(
      'tasks.b.input[1]: names no task of this job and is no task id: c. Tasks of this job: a, b.',
    )
  })

  it('refuses a name that only Object.prototype has', () => {
    expect(pathsOf(job({ a: upload, b: convert('constructor') }))).toEqual(['tasks.b.input'])
  })

  it('refuses a task that needs an input and has none [D-op-07]', () => {
    expect(pathsOf(job({ a: { operation: 'convert', output_format: 'png' } }))).toEqual(['tasks.a.input'])
    expect(pathsOf(job({ a: { operation: 'export/url', input: [] } }))).toEqual(['tasks.a.input'])
  })

  it('refuses a task that names itself', () => {
    expect(onlyText(job({ a: convert('a') }))).toMatch(/^tasks\.a\.input: names the task itself/)
  })

  it('refuses a cycle and names it [D-op-08]', () => {
    expect(onlyText(job({ a: convert('c'), b: convert('a'), c: convert('b') }))).toMatch(
      /^tasks\.a\.input: closes a circle: a waits for c waits for b waits for a/,
    )
  })

  it('accepts an export as input, which passes on its files (C10) [D-op-10]', () => {
    const tasks = { a: upload, b: { operation: 'export/url', input: 'a' }, c: convert('b') }
    expect(parseJob({ tasks }).tasks[2]?.inputs).toMatchObject([{ kind: 'sibling', value: 'b' }])
  })

  it('treats a webhook_url of null or an empty string as absent (C8)', () => {
    for (const webhook_url of [null, '']) expect(parseJob({ webhook_url, tasks: { a: upload } }).webhookUrl).toBeNull()
  })

  it('refuses an import with input', () => {
    expect(pathsOf(job({ a: upload, b: { ...upload, input: 'a' } }))).toEqual(['tasks.b.input'])
  })
})

describe('a merge inside a job', () => {
  it('is refused if it is certain to get a single file [D-op-28]', () => {
    expect(onlyText(job({ a: upload, m: merge(['a']) }))).toBe(
      'tasks.m.input[0]: names one file, a. A merge needs at least two.',
    )
  })

  it('is accepted with two inputs', () => {
    expect(pathsOf(job({ a: upload, b: upload, m: merge(['a', 'b']) }))).toEqual([])
    expect(pathsOf(job({ a: upload, m: merge(['a', 'a']) }))).toEqual([])
  })

  it('is accepted with one input that may hold several files', () => {
    expect(pathsOf(job({ a: upload, b: convert('a'), m: merge('b') }))).toEqual([])
    expect(pathsOf(job({ m: merge(id) }))).toEqual([])
  })
})

describe('a chain inside a job', () => {
  it('is refused where the format a task writes is none the next one reads', () => {
    const tasks = { a: upload, b: { operation: 'convert', input: 'a', output_format: 'mp3' }, c: convert('b') }
    expect(onlyText(job(tasks))).toMatch(/^tasks\.c\.output_format: cannot be \w+ for convert from mp3/)
  })

  it('knows the format of a capture, also if the request does not set it [D-op-85]', () => {
    const page = { operation: 'capture', url: 'https://a.example/' }
    const next = { operation: 'convert', input: 'a', output_format: 'mp4' }
    expect(onlyText(job({ a: page, b: next }))).toMatch(/cannot be mp4 for convert from pdf/)
    expect(onlyText(job({ a: { ...page, output_format: 'mhtml' }, b: next }))).toMatch(/for convert from mhtml/)
    expect(pathsOf(job({ a: { ...page, output_format: 'png' }, b: { ...next, output_format: 'webp' } }))).toEqual([])
  })

  it('reports an error at the input of a merge, which has no input_format', () => {
    const tasks = {
      a: upload,
      b: { operation: 'convert', input: 'a', output_format: 'mp3' },
      m: { operation: 'merge', input: ['a', 'b'], output_format: 'pdf' },
    }
    expect(faultsOf(job(tasks))).toEqual([
      {
        path: 'tasks.m.input',
        code: 'unsupported',
        msg: expect.stringMatching(/^holds mp3, which merge does not take/),
      },
    ])
  })

  it('is checked for options with the format that is known from it [S-jobs-14]', () => {
    const b = { operation: 'convert', input: 'a', output_format: 'jpg' }
    expect(pathsOf(job({ a: upload, b, c: { ...convert('b'), options: { density: 72 } } }))).toEqual([
      'tasks.c.options.density',
    ])
    expect(pathsOf(job({ a: upload, b, c: { ...convert('b'), options: { width: 72 } } }))).toEqual([])
  })
})
