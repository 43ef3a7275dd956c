import { describe, expect, it } from 'vitest'
import { Lathe } from './lathe.ts'

/** A client of a service on which everything has ended, with this job. */
function client(job: object): Lathe {
  const fetch = async (url: string | URL | Request) =>
    String(url).endsWith('/events') ? new Response(null, { status: 204 }) : Response.json(job)
  return new Lathe({ baseUrl: 'http://lathe.test', key: 'k', fetch })
}

describe('a job that failed', () => {
  const task = { id: 't', name: 'a', status: 'completed', dependsOn: [], result: {} }
  const msg = 'A task of this job, or one it depends on, was deleted.'
  const job = { id: 'j', status: 'failed', result: { errorCode: 'task_deleted', msg }, tasks: [task] }

  it('fails `done()`, even if none of its tasks did', async () => {
    const handle = await client(job).jobs.get('j')
    await expect(handle.done()).rejects.toMatchObject({
      name: 'JobFailedError',
      message: msg,
      errorCode: 'task_deleted',
      job: { id: 'j' },
    })
    expect((await handle.done({ evenIfFailed: true })).now.status).toBe('failed')
  })

  it('names the task that failed', async () => {
    const failed = { ...task, name: 'b', status: 'failed', result: { msg: 'It is damaged.', reason: 'input_damaged' } }
    const handle = await client({ ...job, tasks: [task, failed] }).jobs.get('j')
    await expect(handle.done()).rejects.toMatchObject({ name: 'TaskFailedError', reason: 'input_damaged' })
  })
})
