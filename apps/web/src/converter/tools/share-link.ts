import type { Job, JobTokenWithText } from '@lathe/contract'
import { call, send } from '../../api/client.ts'
import type { Item } from '../item.ts'
import { archiveFolders } from '../list/archive-folders.ts'
import { nameShare } from '../name-job.ts'

/** A link to some results, for anyone who has it. */
export interface ShareLink {
  readonly address: string
  readonly expiresAt: string
  readonly jobId: string
  readonly tokenId: string
}

/** The fragment of a share link: browsers do not send it to servers, so it appears in no log. */
export interface ShareMark {
  readonly jobId: string
  readonly token: string
}

/** How many results one link can have. */
export const mostShared = 1000

/** Creates a job with only the results, and a token that can read only this job. */
export async function createShareLink(items: readonly Item[], hours: number): Promise<ShareLink> {
  const input = items.flatMap(({ convertId }) => convertId ?? [])
  // The task name is the name of the ZIP.
  const lathe = { operation: 'export/url', input, ...archiveFolders(items) }
  const tagged = nameShare(items.map(({ name, result }) => result?.files[0]?.name || name))
  const json = { ...tagged, tasks: { lathe } }
  const job = await call<Job>('/v1/process/jobs', { method: 'POST', json })
  const expiresAt = new Date(Date.now() + hours * 3_600_000).toISOString()
  const path = `/v1/process/jobs/${job.id}/tokens`
  const { id, token } = await call<JobTokenWithText>(path, { method: 'POST', json: { expiresAt } })
  return { address: `${location.origin}/share#${job.id}.${token}`, expiresAt, jobId: job.id, tokenId: id }
}

export async function revokeShareLink({ jobId, tokenId }: ShareLink): Promise<void> {
  await send(`/v1/process/jobs/${jobId}/tokens/${tokenId}`, { method: 'DELETE' })
}

/** Reads the fragment of a URL; undefined if it is not from a share link. */
export function readShareMark(hash: string): ShareMark | undefined {
  const [, jobId, token] = /^#([0-9a-f]{24})\.([\w-]{20,200})$/.exec(hash) ?? []
  return jobId && token ? { jobId, token } : undefined
}
