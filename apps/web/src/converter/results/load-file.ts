import { ApiError, toApiError } from '../../api/api-error.ts'

/** Loads a result by its signed link: all of it, or its first bytes. */
export async function loadFile(path: string, signal: AbortSignal, mostBytes?: number): Promise<Blob> {
  const headers = { accept: '*/*', ...(mostBytes && { range: `bytes=0-${mostBytes - 1}` }) }
  const response = await fetch(path, { headers, credentials: 'omit', cache: 'no-store', signal }).catch(() => {
    signal.throwIfAborted()
    throw new ApiError(0, {})
  })
  if (!response.ok) throw await toApiError(response)
  return response.blob()
}
