import { api, load } from '../../api/client.ts'

// A result may be large, and the connection slow.
const timeoutMs = 3_600_000

/** Loads a result by its signed link: all of it, or its first bytes. */
export async function loadFile(path: string, signal: AbortSignal, mostBytes?: number): Promise<Blob> {
  const headers: Record<string, string> = mostBytes ? { range: `bytes=0-${mostBytes - 1}` } : {}
  const response = await load(api(), path, { headers, withoutKey: true, timeoutMs, signal })
  return response.blob()
}
