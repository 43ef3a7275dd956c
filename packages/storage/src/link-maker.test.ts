import { createKeyRing, deriveKeys } from '@lathe/runtime'
import { expect, it } from 'vitest'
import { createLinkMaker } from './link-maker.ts'

const makerOf = (...secrets: [string, ...string[]]) => {
  const keys = createKeyRing({ links: deriveKeys(secrets, 'links'), uploads: deriveKeys(secrets, 'uploads') })
  return createLinkMaker({ publicUrl: 'https://lathe.example', keys })
}
const maker = makerOf('a secret for links, long enough for one')
const taskId = '66f2c1a0000100a1b2c3d4e5'
const now = new Date('2026-01-01T00:00:00Z')
const expiresAt = new Date('2026-01-01T04:00:00Z')

it('signs links that it knows again until they expire', () => {
  const url = new URL(maker.at(now).fileUrl(taskId, 2, 'été 1.png', expiresAt))
  expect(url.pathname).toBe(`/v1/files/${taskId}/2/%C3%A9t%C3%A9%201.png`)
  const signature = url.searchParams.get('signature') ?? ''
  const link = { taskId, file: 2, expiresAt: new Date(Number(url.searchParams.get('expires')) * 1000) }
  expect(maker.isOurLink(link, signature, now)).toBe(true)
  expect(maker.isOurLink(link, signature, expiresAt)).toBe(false)
  expect(maker.isOurLink({ ...link, file: 'archive' }, signature, now)).toBe(false)
})

it('makes forms whose address and fields hold different secrets, bound to the task', () => {
  const { url, parameters } = maker.at(now).form(taskId)
  const token = url.split('/').at(-1) ?? ''
  const signature = parameters.signature ?? ''
  expect(token).not.toBe(signature)
  expect(maker.isUploadToken(taskId, token)).toBe(true)
  expect(maker.isUploadSignature(taskId, signature)).toBe(true)
  expect(maker.isUploadSignature(taskId, token)).toBe(false)
  expect(maker.isUploadToken('f'.repeat(24), token)).toBe(false)
  expect(maker.isUploadToken(taskId, '')).toBe(false)
})

it('S12: accepts links and forms of the secret before, and no longer once that is gone', () => {
  const before = makerOf('the old secret, long enough for anyone')
  const between = makerOf('the new secret, long enough for anyone', 'the old secret, long enough for anyone')
  const after = makerOf('the new secret, long enough for anyone')
  const link = { taskId, file: 2, expiresAt }
  const signatureOf = (made: typeof maker) =>
    new URL(made.at(now).fileUrl(taskId, 2, 'a.png', expiresAt)).searchParams.get('signature') ?? ''
  const tokenOf = (made: typeof maker) => made.at(now).form(taskId).url.split('/').at(-1) ?? ''
  const fieldOf = (made: typeof maker) => made.at(now).form(taskId).parameters.signature ?? ''
  const acceptedBy = (checker: typeof maker, made: typeof maker) => [
    checker.isOurLink(link, signatureOf(made), now),
    checker.isUploadToken(taskId, tokenOf(made)),
    checker.isUploadSignature(taskId, fieldOf(made)),
  ]
  expect(acceptedBy(between, before)).toEqual([true, true, true])
  expect(acceptedBy(between, between)).toEqual([true, true, true])
  expect(acceptedBy(after, between)).toEqual([true, true, true])
  expect(acceptedBy(after, before)).toEqual([false, false, false])
})
