import { Resolver } from 'node:dns/promises'

/** All addresses of a host name, IPv4 and IPv6; none when there is no such name. Rejects when nobody could say. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks the configured name servers, once for each family. The hosts file and search domains are left out:
 * what they add are names of the machine's own neighbourhood.
 */
export const systemResolve: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    // Some servers fail to answer for one family. The other's addresses are checked and pinned all the same.
    const fault = answers.find((answer) => answer.status === 'rejected' && !isAbsence(answer.reason))
    if (addresses.length === 0 && fault?.status === 'rejected') throw fault.reason
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENODATA' || error.code === 'ENOTFOUND')
}
