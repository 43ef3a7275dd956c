import type { EngineFamily } from '@lathe/domain'
import { familyOf, familyOfTool } from '@lathe/engines'
import { expect, it } from 'vitest'
import { nextFamily } from './next-family.ts'

/** The tools that the plans of a video and a letter need. */
const [video, letter] = ['ffmpeg', 'office']
const first = familyOf({ operation: 'thumbnail', from: 'mp4', to: 'jpg', options: {} })

it('is that of the missing tool, if the task has not been forwarded', () => {
  expect(nextFamily({ tool: letter, first, queuedFor: 'av' })).toBe('office')
  expect(nextFamily({ tool: letter, first, queuedFor: null })).toBe('office')
})

it('is a worker with all engines where files of one task need two families, after each has tried', () => {
  const media: readonly EngineFamily[] = ['image', 'av']
  const document: readonly EngineFamily[] = ['office', 'pdf', 'ocr']
  let queuedFor = first ?? null
  const went: (EngineFamily | null)[] = [queuedFor]
  while (queuedFor !== 'route' && went.length < 10) {
    const own: readonly (EngineFamily | null)[] =
      [media, document].find((one) => one.some((f) => f === queuedFor)) ?? []
    const tool = [video, letter].find((name) => name && !own.includes(familyOfTool(name))) ?? ''
    queuedFor = nextFamily({ tool, first, queuedFor })
    went.push(queuedFor)
  }
  expect(went).toEqual(['av', 'office', 'route'])
})
