import { createServer, type RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import type { Dial } from '../dial.ts'
import type { Resolve } from '../resolve.ts'

/** A network in memory: an HTTP server behind every address, and a record of every look-up and every dial. */
export interface FakeNet {
  readonly resolve: Resolve
  readonly connect: Dial
  readonly lookups: string[]
  readonly dials: string[]
}

/** Answers for a name, in turn: the last one stays. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>

/** Makes a network where names have these records and each dial, whatever its address, reaches `listener`. */
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
