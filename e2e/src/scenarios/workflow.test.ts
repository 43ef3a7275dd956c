import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { openOutput } from '../outputs.ts'
import { base64Body, completed, fixture, importFixture, importTask, newClient, outputOf } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

const upload = { operation: 'import/upload' }

describe('a job', () => {
  it('runs an import, two conversions, one of them a thumbnail, and two exports [S-gen-05, S-gen-06, S-gen-10]', async () => {
    const job = await api.runJob({
      photo: importTask('photo-100k.jpg'),
      modern: { operation: 'convert', input: 'photo', output_format: 'webp' },
      thumbnail: { operation: 'convert', input: 'photo', output_format: 'png', options: { width: 160 } },
      'modern-link': { operation: 'export/url', input: ['modern'] },
      'thumbnail-link': { operation: 'export/url', input: ['thumbnail'] },
    })
    expect(job.status).toBe('completed')
    const tasks = new Map(job.tasks?.map((task) => [task.name, task]))
    const [modern, thumbnail] = [tasks.get('modern-link'), tasks.get('thumbnail-link')]
    if (!modern || !thumbnail) throw new Error('an export is missing')
    const webp = await sharp(await outputOf(api, modern)).metadata()
    expect(webp).toMatchObject({ format: 'webp', width: 1024, height: 768 })
    const png = await sharp(await outputOf(api, thumbnail)).metadata()
    expect(png).toMatchObject({ format: 'png', width: 160, height: 120 })
  })

  it('returns 201 at once with all its tasks, in the order of the request [S-gen-12, S-gen-13, S-task-08, S-job-05, S-jobs-07]', async () => {
    const { status, body: job } = await api.post<Awaited<ReturnType<Client['createJob']>>>('/v1/process/jobs', {
      tag: 'first',
      tasks: {
        b: importTask('photo-40k.jpg'),
        a: { operation: 'convert', input: 'b', output_format: 'png' },
      },
    })
    expect(status).toBe(201)
    expect(job).toMatchObject({ tag: 'first', result: {} })
    expect(job.tasks?.map(({ name }) => name)).toEqual(['b', 'a'])
    const [source, converted] = job.tasks ?? []
    expect(source).toMatchObject({ job: job.id, dependsOn: [], operation: 'import/base64' })
    expect(converted).toMatchObject({ status: 'created', dependsOn: [source?.id], payload: { output_format: 'png' } })
    expect((await api.endedJob(job.id)).status).toBe('completed')
  })

  it('accepts a task as input of several, and several as input of one [S-jobs-13, S-exp-04]', async () => {
    const job = await api.runJob({
      photo: importTask('photo-40k.jpg'),
      png: { operation: 'convert', input: 'photo', output_format: 'png' },
      gif: { operation: 'convert', input: 'photo', output_format: 'gif' },
      links: { operation: 'export/url', input: ['png', 'gif'] },
    })
    const links = job.tasks?.at(-1)
    expect(links?.result.files?.map(({ filename }) => filename)).toEqual(['photo-40k.png', 'photo-40k.gif'])
  })

  it('accepts the id of an earlier task as input too [S-task-07, D-op-06]', async () => {
    const photo = await importFixture(api, 'photo-40k.jpg')
    const job = await api.runJob({ small: { operation: 'convert', input: photo.id, output_format: 'webp' } })
    expect(job).toMatchObject({ status: 'completed', tasks: [{ dependsOn: [photo.id] }] })
  })

  it('may consist of imports only [D-op-11]', async () => {
    expect(await api.runJob({ only: importTask('photo-40k.jpg') })).toMatchObject({ status: 'completed', tag: null })
  })

  it.each([
    ['no tasks', {}, 'tasks'],
    ['more than 100 tasks', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`t${i}`, upload])), 'tasks'],
    ['a name with a space', { 'a b': { operation: 'import/upload' } }, 'tasks.a b'],
    ['an unknown operation', { a: { operation: 'import/fax' } }, 'tasks.a.operation'],
    ['a task without an operation', { a: { url: 'https://example.com/a.jpg' } }, 'tasks.a.operation'],
    ['an unknown input', { a: { operation: 'convert', input: 'b', output_format: 'png' } }, 'tasks.a.input'],
    ['a convert without an input', { a: { operation: 'convert', output_format: 'png' } }, 'tasks.a.input'],
  ])('with %s is refused, naming the field [S-jobs-10, S-jobs-11, S-jobs-12, D-op-09]', async (_what, tasks, path) => {
    const { status, errors } = await api.refused('POST', '/v1/process/jobs', { json: { tasks } })
    expect(status).toBe(400)
    expect(errors?.map((error) => error.path)).toContain(path)
  })

  it('with a name of more than 64 characters is refused', async () => {
    const tasks = { ['a'.repeat(65)]: upload }
    const { status, errors } = await api.refused('POST', '/v1/process/jobs', { json: { tasks } })
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path: expect.stringMatching(/^tasks\.a{50}/) })
  })

  it('treats an input as the name of a task of the same job rather than an id', async () => {
    const earlier = await importFixture(api, 'photo-40k.jpg')
    const job = await api.createJob({
      [earlier.id]: upload,
      png: { operation: 'convert', input: earlier.id, output_format: 'png' },
    })
    expect(job.tasks?.[1]?.dependsOn).toEqual([job.tasks?.[0]?.id])
  })

  it('with a cycle of tasks is refused [D-op-08]', async () => {
    const turn = (input: string) => ({ operation: 'convert', input, output_format: 'png' })
    const { status, msg } = await api.refused('POST', '/v1/process/jobs', {
      json: { tasks: { a: turn('b'), b: turn('a') } },
    })
    expect(status).toBe(400)
    expect(msg).toMatch(/a.*b/)
  })

  it('accepts an export as input, and the same task twice (C10) [D-op-10]', async () => {
    const job = await api.runJob({
      photo: importTask('photo-40k.jpg'),
      link: { operation: 'export/url', input: ['photo'] },
      twice: { operation: 'merge', input: ['link', 'link'], output_format: 'pdf' },
    })
    const [, link, twice] = job.tasks ?? []
    if (!twice) throw new Error('the merge is missing')
    expect(twice.dependsOn).toEqual([link?.id, link?.id])
    expect(await openOutput(await outputOf(api, twice))).toMatchObject({ format: 'pdf', pages: 2 })
  })
})

describe('single tasks', () => {
  it('are chained by naming the id of an earlier task [S-gen-08, S-gen-09, S-gen-11, S-proc-02, S-proc-03, S-exp-01, D-op-04]', async () => {
    const photo = await importFixture(api, 'photo-40k.jpg')
    const convert = await api.create('convert', { input: photo.id, input_format: 'jpg', output_format: 'png' })
    const link = await api.run('export/url', { input: [convert.id] })
    expect(link).toMatchObject({ dependsOn: [convert.id], job: null, name: 'export/url' })
    expect((await sharp(await outputOf(api, link)).metadata()).format).toBe('png')
  })

  it('show the times of all their states, in order [S-gen-14, S-task-11, D-state-30]', async () => {
    const { id } = await api.create('import/base64', base64Body('photo-40k.jpg'))
    const task = completed(await api.endedTask(id))
    const times = [task.createdAt, task.startedAt, task.endedAt].map((time) => Date.parse(time ?? ''))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Date.parse(task.expiresAt) - Date.parse(task.createdAt)).toBe(24 * 3600_000)
    expect(Date.parse(task.result.files?.[0]?.expiresAt ?? '') - Date.parse(task.createdAt)).toBe(4 * 3600_000)
    expect(task.result.expiresAt).toBe(task.result.files?.[0]?.expiresAt)
  })

  it('that have not ended show null for endedAt [S-task-12]', async () => {
    const task = await api.create('import/upload')
    expect(task).toMatchObject({ status: 'processing', endedAt: null })
    await api.remove(`/v1/process/tasks/${task.id}`)
  })

  it('carry a link to their file, with its size and SHA-256 [S-task-13, D-shape-13]', async () => {
    const { createHash } = await import('node:crypto')
    const task = await importFixture(api, 'photo-40k.jpg')
    const bytes = fixture('photo-40k.jpg')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(task.result.files).toMatchObject([{ filename: 'photo-40k.jpg', size: bytes.length, sha256 }])
    expect(await api.download(task.result.url)).toEqual(bytes)
  })

  it('refuse an unknown input [D-http-33]', async () => {
    const json = { input: 'aaaaaaaaaaaaaaaaaaaaaaaa', output_format: 'png' }
    const { status, errors } = await api.refused('POST', '/v1/process/convert', { json })
    expect(status).toBe(400)
    expect(errors?.[0]?.path).toBe('input')
  })

  it('refuse the input of another user as if it did not exist', async () => {
    const other = await newClient()
    const theirs = await importFixture(other, 'photo-40k.jpg')
    const refused = await api.refused('POST', '/v1/process/convert', {
      json: { input: theirs.id, output_format: 'png' },
    })
    expect(refused.status).toBe(400)
  })
})
