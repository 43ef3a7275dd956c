import { createHmac, timingSafeEqual } from 'node:crypto'
import type { LinkedTask, Links } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'
import type { Key, KeyRing } from '@lathe/runtime'
import { type Link, signLink, verifyLink } from './link-signature.ts'

export interface LinkMakerParts {
  readonly publicUrl: string
  /** The first key of each purpose signs. Signatures of all its keys are accepted. */
  readonly keys: KeyRing
}

/** Creates and verifies the URLs that work without an API key. */
export interface LinkMaker {
  /** The links as of this moment. */
  at(now: Date): Links
  isOurLink(link: Link, signature: string, now: Date): boolean
  /** The generation in a form's token; undefined if the token is not ours. */
  uploadGeneration(taskId: ObjectId, token: string): number | undefined
  isUploadSignature(task: LinkedTask, signature: string): boolean
}

/** The form's URL holds one secret and its fields another: someone who sees only logged URLs cannot upload. */
export function createLinkMaker({ publicUrl, keys }: LinkMakerParts): LinkMaker {
  const linkKeys = keys.of('links')
  const uploadKeys = keys.of('uploads')

  function linkUrl({ id, linkGeneration }: LinkedTask, file: Link['file'], filename: string, expiresAt: Date): string {
    const name = encodeURIComponent(filename.toWellFormed())
    const expires = Math.floor(expiresAt.getTime() / 1000)
    const signature = signLink(linkKeys[0].secret, { taskId: id, file, expiresAt, generation: linkGeneration })
    const generation = linkGeneration === 0 ? '' : `&generation=${linkGeneration}`
    return `${publicUrl}/v1/files/${id}/${file}/${name}?expires=${expires}${generation}&signature=${signature}`
  }

  return {
    at: (now) => ({
      now,
      fileUrl: linkUrl,
      filesUrl: ({ id }) => `${publicUrl}/v1/process/tasks/${id}/files`,
      archiveUrl: (task, filename, expiresAt) => linkUrl(task, 'archive', filename, expiresAt),
      form(task) {
        const url = `${publicUrl}/v1/uploads/${task.id}/${uploadToken(uploadKeys[0], task)}`
        return { url, parameters: { signature: uploadSecret(uploadKeys[0], 'signature', task) }, tusUrl: `${url}/tus` }
      },
    }),
    isOurLink: (link, signature, now) => linkKeys.some(({ secret }) => verifyLink(secret, link, signature, now)),
    uploadGeneration(taskId, token) {
      const task = { id: taskId, linkGeneration: generationOf(token) }
      return uploadKeys.some((key) => isSame(token, uploadToken(key, task))) ? task.linkGeneration : undefined
    },
    isUploadSignature: (task, signature) =>
      uploadKeys.some((key) => isSame(signature, uploadSecret(key, 'signature', task))),
  }
}

/** The secret in a form's URL, preceded by its generation unless that is the first. */
function uploadToken(key: Key, task: LinkedTask): string {
  const secret = uploadSecret(key, 'token', task)
  return task.linkGeneration === 0 ? secret : `${task.linkGeneration}.${secret}`
}

function generationOf(token: string): number {
  return Number(/^([1-9]\d{0,9})\./.exec(token)?.[1] ?? 0)
}

function uploadSecret({ secret }: Key, use: 'token' | 'signature', { id, linkGeneration }: LinkedTask): string {
  const text = linkGeneration === 0 ? `${use}\n${id}` : `${use}\n${id}\n${linkGeneration}`
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
