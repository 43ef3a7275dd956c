import { describe, expect, it } from 'vitest'
import { readShareMark } from './share-link.ts'

const jobId = '0123456789abcdef01234567'
const token = `lathe_job_${'a-Z_9'.repeat(9)}`

describe('the mark of a share link', () => {
  it('holds the job and its token', () => {
    expect(readShareMark(`#${jobId}.${token}`)).toEqual({ jobId, token })
  })

  it.each(['', '#', `#${token}`, `#${jobId}`, `#${jobId}.short`, `#${jobId}./../${token}`, `#../x.${token}`])(
    'is not %j',
    (hash) => {
      expect(readShareMark(hash)).toBeUndefined()
    },
  )
})
