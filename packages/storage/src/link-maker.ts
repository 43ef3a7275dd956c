import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Links } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'
import { deriveKey } from '@lathe/runtime'
import { type Link, signLink, verifyLink } from './link-signature.ts'

export interface LinkMakerParts {
  readonly publicUrl: string
  readonly linkKey: Buffer
  readonly uploadKey: Buffer
}

/** The keys of links, from the one secret of the installation: the same in every process that makes or checks them. */
export function linkKeys(secret: string): Pick<LinkMakerParts, 'linkKey' | 'uploadKey'> {
  return { linkKey: deriveKey(secret, 'links'), uploadKey: deriveKey(secret, 'uploads') }
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
export function createLinkMaker({ publicUrl, linkKey, uploadKey }: LinkMakerParts): LinkMaker {
  const uploadSecret = (use: 'token' | 'signature', taskId: ObjectId) =>
    createHmac('sha256', uploadKey).update(`${use}\n${taskId}`).digest('base64url')

  function linkUrl(link: Link, filename: string): string {
    const name = encodeURIComponent(filename.toWellFormed())
    const expires = Math.floor(link.expiresAt.getTime() / 1000)
    const signature = signLink(linkKey, link)
    return `${publicUrl}/v1/files/${link.taskId}/${link.file}/${name}?expires=${expires}&signature=${signature}`
  }

  return {
    at: (now) => ({
      now,
      fileUrl: (taskId, n, filename, expiresAt) => linkUrl({ taskId, file: n, expiresAt }, filename),
      archiveUrl: (taskId, filename, expiresAt) => linkUrl({ taskId, file: 'archive', expiresAt }, filename),
      form: (taskId) => ({
        url: `${publicUrl}/v1/uploads/${taskId}/${uploadSecret('token', taskId)}`,
        parameters: { signature: uploadSecret('signature', taskId) },
      }),
    }),
    isOurLink: (link, signature, now) => verifyLink(linkKey, link, signature, now),
    isUploadToken: (taskId, token) => isSame(token, uploadSecret('token', taskId)),
    isUploadSignature: (taskId, signature) => isSame(signature, uploadSecret('signature', taskId)),
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
