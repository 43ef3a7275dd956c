import type { Client } from '../parts/client.ts'

const waitS = 60

/** How long conversions of an image take at the client, one after the other, in milliseconds. */
export async function imageTimes(
  client: Client,
  input: string,
  { samples, everyMs = 0 }: { samples: number; everyMs?: number },
): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < samples; n += 1) {
    const startedAt = performance.now()
    const { status } = await client.convert(input, waitS)
    if (status !== 'completed') throw new Error(`an image was ${status} after ${waitS} s`)
    const tookMs = performance.now() - startedAt
    times.push(tookMs)
    if (tookMs < everyMs) await new Promise((resolve) => setTimeout(resolve, everyMs - tookMs))
  }
  return times
}

/** The 95th percentile. */
export function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? Number.NaN
}
