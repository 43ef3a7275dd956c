import { runInNewContext } from 'node:vm'
import type { Job } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { hasGaps, toCurl, toRequest, toTypeScript } from './job-code.ts'

const job = (tasks: readonly object[], tag: string | null = null) => ({ tag, tasks }) as unknown as Job
const photo = {
  id: '1',
  name: 'photo',
  operation: 'import/url',
  dependsOn: [],
  payload: { url: 'https://a.example/x' },
}
const small = {
  id: '2',
  name: 'small-one',
  operation: 'convert',
  dependsOn: ['1'],
  payload: { output_format: 'webp', options: { width: 320 } },
}

describe('the request of a job', () => {
  it('names inputs as the job did, and ids of elsewhere as they are', () => {
    const both = { ...small, id: '3', name: 'both', operation: 'merge', dependsOn: ['2', 'abc'], payload: {} }
    expect(toRequest(job([photo, small, both], 'album'))).toEqual({
      tag: 'album',
      tasks: {
        photo: { operation: 'import/url', url: 'https://a.example/x' },
        'small-one': { operation: 'convert', input: 'photo', output_format: 'webp', options: { width: 320 } },
        both: { operation: 'merge', input: ['small-one', 'abc'] },
      },
    })
  })

  it('has gaps where secrets were masked or content was sent along', () => {
    expect(hasGaps(job([photo, small]))).toBe(false)
    expect(hasGaps(job([{ ...photo, payload: { file: '', filename: 'a' } }]))).toBe(true)
    expect(hasGaps(job([{ ...small, payload: { options: { password: '***' } } }]))).toBe(true)
    expect(hasGaps(job([{ ...photo, payload: { url: 'https://me:***@a.example/' } }]))).toBe(true)
  })
})

describe('the code of a job', () => {
  it('as curl cannot be left by a quote', () => {
    const code = toCurl(job([photo], `it's $(rm -rf /) "here" \\`), 'https://lathe.example')
    expect(code).toContain(`"tag": "it'\\''s $(rm -rf /) \\"here\\" \\\\\\\\"`.replaceAll('\\\\\\\\', '\\\\'))
    expect(code.replaceAll(`'\\''`, '').split("'")).toHaveLength(3)
  })

  it('as TypeScript is a program of the SDK that reads back the same request', () => {
    const wild = job([photo, small], `it's "new"\n</script> \\`)
    const code = toTypeScript(wild, 'https://lathe.example')
    expect(code).toContain("new Lathe({ baseUrl: 'https://lathe.example', key: process.env.LATHE_KEY })")
    const literal = /jobs\.create\(([\s\S]*)\)\nawait job\.done/.exec(code)?.[1] ?? ''
    expect(runInNewContext(`JSON.stringify(${literal})`)).toBe(JSON.stringify(toRequest(wild)))
  })

  it('as TypeScript distinguishes ids of other tasks from names', () => {
    const code = toTypeScript(job([{ ...small, dependsOn: ['65abcdef0000000000abcdef'] }]), 'x')
    expect(code).toContain("input: '65abcdef0000000000abcdef' as string,")
  })

  it('as TypeScript sends the files that were uploaded', () => {
    const upload = { ...photo, operation: 'import/upload', payload: {} }
    expect(toTypeScript(job([upload]), 'x')).toContain("await job.upload('photo', 'path/to/file')")
  })
})
