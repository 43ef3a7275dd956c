/** The longest time an answer is held. Proxies cut connections that are silent for longer. */
export const longestWaitS = 60

/**
 * The seconds that `Prefer: wait=N` asks for, at most 60; undefined if it does not. An invalid preference is ignored
 * (RFC 7240).
 */
export function parseWait(header: string | undefined): number | undefined {
  for (const preference of (header ?? '').split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;|$)/i.exec(preference) ?? []
    if (seconds !== undefined) return Math.min(Number(seconds), longestWaitS)
  }
  return undefined
}
