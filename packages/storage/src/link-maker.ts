import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Links } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'
import type { Key, KeyRing } from '@lathe/runtime'
import { type Link, signLink, verifyLink } from './link-signature.ts'

export interface LinkMakerParts {
  readonly publicUrl: string
  /** The first keys sign; what any of them signed is accepted. */
  readonly keys: KeyRing
}

/** Makes and checks the addresses that work without an API key. */
export interface LinkMaker {
  /** The addresses for views of this moment. */
  at(now: Date): Links
  isOurLink(link: Link, signature: string, now: Date): boolean
  isUploadToken(taskId: ObjectId, token: string): boolean
  isUploadSignature(taskId: ObjectId, signature: string): boolean
}

/** The form's address holds one secret and its fields another: whoever sees only a log of addresses cannot upload. */
export function createLinkMaker({ publicUrl, keys }: LinkMakerParts): LinkMaker {
  const linkKeys = keys.of('links')
  const uploadKeys = keys.of('uploads')

  function linkUrl(link: Link, filename: string): string {
    const name = encodeURIComponent(filename.toWellFormed())
    const expires = Math.floor(link.expiresAt.getTime() / 1000)
    const signature = signLink(linkKeys[0].bytes, link)
    return `${publicUrl}/v1/files/${link.taskId}/${link.file}/${name}?expires=${expires}&signature=${signature}`
  }

  return {
    at: (now) => ({
      now,
      fileUrl: (taskId, n, filename, expiresAt) => linkUrl({ taskId, file: n, expiresAt }, filename),
      archiveUrl: (taskId, filename, expiresAt) => linkUrl({ taskId, file: 'archive', expiresAt }, filename),
      form: (taskId) => ({
        url: `${publicUrl}/v1/uploads/${taskId}/${uploadSecret(uploadKeys[0], 'token', taskId)}`,
        parameters: { signature: uploadSecret(uploadKeys[0], 'signature', taskId) },
      }),
    }),
    isOurLink: (link, signature, now) => linkKeys.some(({ bytes }) => verifyLink(bytes, link, signature, now)),
    isUploadToken: (taskId, token) => uploadKeys.some((key) => isSame(token, uploadSecret(key, 'token', taskId))),
    isUploadSignature: (taskId, signature) =>
      uploadKeys.some((key) => isSame(signature, uploadSecret(key, 'signature', taskId))),
  }
}

function uploadSecret({ bytes }: Key, use: 'token' | 'signature', taskId: ObjectId): string {
  return createHmac('sha256', bytes).update(`${use}\n${taskId}`).digest('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
