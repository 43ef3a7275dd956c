import { Resolver } from 'node:dns/promises'

/** All addresses of a hostname, IPv4 and IPv6; none if the name does not exist. Rejects if no server could answer. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Queries the configured DNS servers, once for each family. Ignores the hosts file and search domains, because they
 * only add names of the machine's own network.
 */
export const systemResolve: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    // Some servers fail to answer for one family. The addresses of the other one are still checked and pinned.
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
