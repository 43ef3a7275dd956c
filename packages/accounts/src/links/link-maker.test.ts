import { createKeyRing, deriveKeys } from '@lathe/runtime'
import { expect, it } from 'vitest'
import { createLinkMaker } from './link-maker.ts'

const makerOf = (...secrets: [string, ...string[]]) => {
  const keys = createKeyRing({ links: deriveKeys(secrets, 'links'), uploads: deriveKeys(secrets, 'uploads') })
  return createLinkMaker({ publicUrl: 'https://lathe.example', keys })
}
const maker = makerOf('a secret for links, long enough for one')
const taskId = '66f2c1a0000100a1b2c3d4e5'
const task = { id: taskId, linkGeneration: 0 }
const now = new Date('2026-01-01T00:00:00Z')
const expiresAt = new Date('2026-01-01T04:00:00Z')

it('signs links that it accepts until they expire [D-shape-09]', () => {
  const url = new URL(maker.at(now).fileUrl(task, 2, 'été 1.png', expiresAt))
  expect(url.pathname).toBe(`/v1/files/${taskId}/2/%C3%A9t%C3%A9%201.png`)
  const signature = url.searchParams.get('signature') ?? ''
  const link = { taskId, file: 2, generation: 0, expiresAt: new Date(Number(url.searchParams.get('expires')) * 1000) }
  expect(maker.isOurLink(link, signature, now)).toBe(true)
  expect(maker.isOurLink(link, signature, expiresAt)).toBe(false)
  expect(maker.isOurLink({ ...link, file: 'archive' }, signature, now)).toBe(false)
})

it('creates forms whose URL and fields have different secrets, bound to the task [S-task-15, D-op-32]', () => {
  const { url, parameters } = maker.at(now).form(task)
  const token = url.split('/').at(-1) ?? ''
  const signature = parameters.signature ?? ''
  expect(token).not.toBe(signature)
  expect(maker.uploadGeneration(taskId, token)).toBe(0)
  expect(maker.isUploadSignature(task, signature)).toBe(true)
  expect(maker.isUploadSignature(task, token)).toBe(false)
  expect(maker.uploadGeneration('f'.repeat(24), token)).toBeUndefined()
  expect(maker.uploadGeneration(taskId, '')).toBeUndefined()
})

it('S12: accepts links and forms of the previous secret, until that is removed', () => {
  const before = makerOf('the old secret, long enough for anyone')
  const between = makerOf('the new secret, long enough for anyone', 'the old secret, long enough for anyone')
  const after = makerOf('the new secret, long enough for anyone')
  const link = { taskId, file: 2, generation: 0, expiresAt }
  const signatureOf = (made: typeof maker) =>
    new URL(made.at(now).fileUrl(task, 2, 'a.png', expiresAt)).searchParams.get('signature') ?? ''
  const tokenOf = (made: typeof maker) => made.at(now).form(task).url.split('/').at(-1) ?? ''
  const fieldOf = (made: typeof maker) => made.at(now).form(task).parameters.signature ?? ''
  const acceptedBy = (checker: typeof maker, made: typeof maker) => [
    checker.isOurLink(link, signatureOf(made), now),
    checker.uploadGeneration(taskId, tokenOf(made)) === 0,
    checker.isUploadSignature(task, fieldOf(made)),
  ]
  expect(acceptedBy(between, before)).toEqual([true, true, true])
  expect(acceptedBy(between, between)).toEqual([true, true, true])
  expect(acceptedBy(after, between)).toEqual([true, true, true])
  expect(acceptedBy(after, before)).toEqual([false, false, false])
})

it('S12: creates links and forms with the generation of their owner, which are valid for no other', () => {
  const later = { id: taskId, linkGeneration: 3 }
  const url = new URL(maker.at(now).fileUrl(later, 2, 'a.png', expiresAt))
  expect(url.searchParams.get('generation')).toBe('3')
  const signature = url.searchParams.get('signature') ?? ''
  const isOurs = (generation: number) => maker.isOurLink({ taskId, file: 2, expiresAt, generation }, signature, now)
  expect([0, 1, 3, 33].map(isOurs)).toEqual([false, false, true, false])
  const form = maker.at(now).form(later)
  const token = form.url.split('/').at(-1) ?? ''
  expect(maker.uploadGeneration(taskId, token)).toBe(3)
  for (const forged of [token.replace('3.', ''), token.replace('3.', '2.'), token.replace('3.', '03.')])
    expect(maker.uploadGeneration(taskId, forged)).toBeUndefined()
  const field = form.parameters.signature ?? ''
  expect([maker.isUploadSignature(later, field), maker.isUploadSignature(task, field)]).toEqual([true, false])
})
