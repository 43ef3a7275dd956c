import { describe, expect, it } from 'vitest'
import { faultsOf } from '../testing/faults-of.ts'
import { parseJob } from './parse-job.ts'
import { parseTask } from './parse-task.ts'
import { type EarlierTask, toJobAgain, toTaskAgain } from './run-again.ts'

const now = new Date('2026-01-01T12:00:00Z')
const createdAt = new Date('2026-01-01T11:00:00Z')
const idOf = (n: number) => n.toString(16).padStart(24, '0')
const live = [{ deletedAt: null }]

const earlier = (n: number, task: Partial<EarlierTask> & Pick<EarlierTask, 'name' | 'operation'>): EarlierTask => ({
  id: idOf(n),
  status: 'completed',
  payload: {},
  dependsOn: [],
  createdAt,
  files: live,
  ...task,
})

const photo = earlier(1, { name: 'photo', operation: 'import/upload' })
const webp = earlier(2, {
  name: 'webp',
  operation: 'convert',
  payload: { output_format: 'webp', options: { quality: 80 } },
  dependsOn: [photo.id],
})
const link = earlier(3, { name: 'link', operation: 'export/url', dependsOn: [webp.id] })
const job = { tag: 'holiday', webhookUrl: null, tasks: [photo, webp, link], others: [] }

describe('a task with a file in a role', () => {
  const logo = earlier(4, { name: 'logo', operation: 'import/upload' })
  const marked = earlier(5, {
    name: 'marked',
    operation: 'watermark',
    payload: { overlay: 'logo', options: { size: 20 } },
    dependsOn: [photo.id, webp.id, logo.id],
  })

  it('uses the same files in the same roles again', () => {
    const body = toTaskAgain(marked, [photo, webp, logo], undefined, now)
    expect(body).toEqual({ input: [photo.id, webp.id], overlay: logo.id, options: { size: 20 } })
    expect(parseTask('watermark', body).inputs.map(({ value, role }) => [value, role])).toEqual([
      [photo.id, undefined],
      [webp.id, undefined],
      [logo.id, 'overlay'],
    ])
    const whole = { tag: null, webhookUrl: null, tasks: [photo, logo, webp, marked], others: [] }
    const { tasks } = toJobAgain(whole, { tasks: { webp: {} } }, now) as { tasks: Record<string, unknown> }
    expect(tasks.marked).toMatchObject({ input: [photo.id, 'webp'], overlay: logo.id })
  })

  it('cannot be given others', () => {
    expect(faultsOf(() => toTaskAgain(marked, [photo, webp, logo], { overlay: photo.id }, now))).toMatchObject([
      { path: 'overlay', code: 'conflict' },
    ])
  })
})

describe('a job that runs again', () => {
  it('does the same on the files that were imported, and is a valid job [D-op-63]', () => {
    const body = toJobAgain(job, undefined, now)
    expect(body).toEqual({
      tag: 'holiday',
      tasks: {
        webp: { operation: 'convert', input: [photo.id], output_format: 'webp', options: { quality: 80 } },
        link: { operation: 'export/url', input: ['webp'] },
      },
    })
    expect(parseJob(body).tasks.map(({ name }) => name)).toEqual(['webp', 'link'])
  })

  it('takes changes by the name of a task, options as a whole, and null for a field to leave out [D-op-63]', () => {
    const body = toJobAgain(job, { tag: 'again', tasks: { webp: { options: { width: 100 }, filename: null } } }, now)
    const { tag, tasks } = parseJob(body)
    expect(tag).toBe('again')
    expect(tasks[0]?.payload).toEqual({ output_format: 'webp', options: { width: 100 } })
  })

  it('imports again what has no files and can be fetched', () => {
    const remote = earlier(1, { name: 'photo', operation: 'import/url', payload: { url: 'https://a.example/x.jpg' } })
    const failed = { ...job, tasks: [{ ...remote, status: 'failed' as const, files: [] }, webp, link] }
    const { tasks } = parseJob(toJobAgain(failed, {}, now))
    expect(tasks.map(({ name }) => name)).toEqual(['photo', 'webp', 'link'])
    expect(tasks[1]?.inputs).toMatchObject([{ kind: 'sibling', value: 'photo' }])
  })

  it.each([
    ['expired', { createdAt: new Date('2026-01-01T08:00:00Z') }],
    ['deleted', { files: [{ deletedAt: now }] }],
    ['never sent', { status: 'processing' as const, files: [] }],
  ])('is refused if an uploaded file is gone: %s', (_, change) => {
    const tasks = [{ ...photo, ...change }, webp, link]
    expect(faultsOf(() => toJobAgain({ ...job, tasks }, {}, now))).toMatchObject([
      { path: 'tasks.photo', code: 'not_found', msg: expect.stringContaining('Import the file again') },
    ])
  })

  it('is refused if a task outside of it has no files any more, and names it [D-op-65]', () => {
    const tasks = [webp]
    const faults = faultsOf(() => toJobAgain({ ...job, tasks, others: [] }, {}, now))
    expect(faults).toMatchObject([{ path: 'tasks.webp.input', code: 'not_found' }])
    expect(faults[0]?.msg).toContain(photo.id)
    expect(() => toJobAgain({ ...job, tasks, others: [photo] }, {}, now)).not.toThrow()
  })

  it('asks for secrets, which are not kept [D-op-65]', () => {
    const payload = { host: 'a.example', username: 'x', password: '***', path: 'out' }
    const tasks = [photo, webp, { ...link, operation: 'export/sftp' as const, payload }]
    expect(faultsOf(() => toJobAgain({ ...job, tasks }, {}, now))).toMatchObject([
      { path: 'tasks.link.password', code: 'required' },
    ])
    const given = toJobAgain({ ...job, tasks }, { tasks: { link: { password: 'secret' } } }, now)
    expect(given).toMatchObject({ tasks: { link: { password: 'secret', host: 'a.example' } } })
  })

  it('asks for a password inside an address, and for one among the options', () => {
    const remote = {
      ...photo,
      operation: 'import/url' as const,
      files: [],
      payload: { url: 'https://a:***@b.example/' },
    }
    const locked = { ...webp, payload: { output_format: 'webp', options: { password: '***' } } }
    const faults = faultsOf(() => toJobAgain({ ...job, tasks: [remote, locked] }, {}, now))
    expect(faults.map(({ path }) => path)).toEqual(['tasks.photo.url', 'tasks.webp.options.password'])
  })

  it.each([
    [{ tasks: { nobody: {} } }, 'tasks.nobody'],
    [{ tasks: { webp: 7 } }, 'tasks'],
    [{ tasks: { webp: { input: 'x' } } }, 'tasks.webp.input'],
    [{ tasks: { webp: { operation: 'merge' } } }, 'tasks.webp.operation'],
    [{ owner: 'x' }, 'owner'],
    [{ tag: 7 }, 'tag'],
  ])('is refused with %j, and %s is named', (body, path) => {
    expect(faultsOf(() => toJobAgain(job, body, now)).map((fault) => fault.path)).toEqual([path])
  })

  it('is refused if nothing would run, or a task of it was deleted', () => {
    expect(faultsOf(() => toJobAgain({ ...job, tasks: [photo] }, {}, now))).toMatchObject([{ path: 'jobId' }])
    const deleted = { ...webp, status: 'deleted' as const, payload: {} }
    expect(faultsOf(() => toJobAgain({ ...job, tasks: [photo, deleted] }, {}, now))).toMatchObject([
      { path: 'tasks.webp', code: 'not_found' },
    ])
  })
})

describe('a task that runs again', () => {
  it('does the same on the same files, with what is changed', () => {
    const body = toTaskAgain(webp, [photo], { options: { quality: 20 } }, now)
    expect(parseTask('convert', body)).toMatchObject({
      inputs: [{ kind: 'task', value: photo.id }],
      payload: { output_format: 'webp', options: { quality: 20 } },
    })
  })

  it('is refused if its files are gone, or it was an upload', () => {
    expect(faultsOf(() => toTaskAgain(webp, [], {}, now))).toMatchObject([{ path: 'input', code: 'not_found' }])
    expect(faultsOf(() => toTaskAgain(photo, [], {}, now))).toMatchObject([{ path: 'body', code: 'not_found' }])
    expect(faultsOf(() => toTaskAgain(webp, [photo], [], now))).toMatchObject([{ path: 'body' }])
  })
})
