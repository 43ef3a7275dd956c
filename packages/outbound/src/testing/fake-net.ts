import { createServer, type RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import type { Dial } from '../dial.ts'
import type { Resolve } from '../resolve.ts'

/** A network in memory: an HTTP server behind every address, and a record of every DNS lookup and every dial. */
export interface FakeNet {
  readonly resolve: Resolve
  readonly connect: Dial
  readonly lookups: string[]
  readonly dials: string[]
}

/** The answers for each name, in order. The last one repeats. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>

/** Creates a network where names have these records, and each dial reaches `listener`, whatever its address. */
export function createFakeNet(zone: Zone, listener: RequestListener): FakeNet {
  const server = createServer(listener)
  const lookups: string[] = []
  const dials: string[] = []
  return {
    lookups,
    dials,
    resolve: async (hostname) => {
      const before = lookups.filter((name) => name === hostname).length
      lookups.push(hostname)
      const answers = zone[hostname] ?? [[]]
      return answers[Math.min(before, answers.length - 1)] ?? []
    },
    connect: async (address, port) => {
      dials.push(`${address} ${port}`)
      const [near, far] = duplexPair()
      server.emit('connection', far)
      return { socket: near, remoteAddress: address }
    },
  }
}
