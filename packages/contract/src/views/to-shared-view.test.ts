import { operations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { JobView } from '../schemas/job-view.ts'
import { fileFacts, jobFacts, links, taskFacts } from '../testing/facts.ts'
import { toJobView } from './to-job-view.ts'
import { toSharedEvent, toSharedJob, toSharedTask } from './to-shared-view.ts'
import { toTaskView } from './to-task-view.ts'

describe('what a job token shows', () => {
  it('has no form: it does not allow uploads [D-http-75]', () => {
    const open = toTaskView(taskFacts({ operation: 'import/upload', status: 'processing' }), links)
    expect(open.result.form).toBeDefined()
    expect(toSharedTask(open).result).toEqual({})
  })

  it('reveals nothing of the owner’s storage: no payload, no paths and no messages of an import or export [D-http-75]', () => {
    const exported = [{ path: 'secret/path', size: 1, sha256: 'ab'.repeat(32) }]
    for (const operation of operations.filter((name) => name.includes('/'))) {
      const payload = { url: 'https://private.example/', host: 'private.example' }
      const done = toTaskView(taskFacts({ operation, payload, status: 'completed', exported }), links)
      const failed = toTaskView(taskFacts({ operation, payload, status: 'failed', msg: 'private.example' }), links)
      expect(JSON.stringify([toSharedTask(done), toSharedTask(failed)])).not.toMatch(/private|secret/)
    }
  })

  it('has the state, options and links to files of a conversion', () => {
    const payload = { output_format: 'webp' }
    const task = toTaskView(taskFacts({ status: 'completed', payload, files: [fileFacts()] }), links)
    expect(toSharedTask(task)).toEqual(task)
  })

  it('is a valid job without its tag, also inside an event', () => {
    const view = toJobView({ ...jobFacts({ tag: 'internal' }), tasks: [taskFacts()] }, links)
    const job = toSharedJob(view)
    expect(isValid(JobView, job)).toBe(true)
    expect(job.tag).toBeNull()
    const event = { id: view.id, type: 'job.created', createdAt: view.createdAt, seq: 1, data: { job: view } } as const
    expect(toSharedEvent(event).data).toEqual({ job })
  })
})
