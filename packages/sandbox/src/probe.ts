import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstat, readlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { judgeProbe, type ProbeFacts, privateNamespaces } from './judge-probe.ts'
import type { Scratch } from './scratch.ts'
import { installScripts } from './scripts.ts'
import { type Host, startProcess } from './start-process.ts'

/** Where the sandbox does not hold, by trying; an empty list is what a worker needs to serve. */
export async function probeIsolation(host: Host, scratch: Scratch): Promise<readonly string[]> {
  const runners = await installScripts(scratch, join(import.meta.dirname, 'probe.mjs'))
  const folder = await scratch.createFolder('probe')
  // Its uid could read this, so that only the sandbox can be what keeps it secret.
  const outside = await scratch.createPassage('canary')
  const canary = join(outside, 'canary')
  await writeFile(canary, randomBytes(16).toString('hex'), { mode: 0o644 })
  const abstractSocket = `lathe-${randomBytes(8).toString('hex')}`
  await using tripwires = await openTripwires(abstractSocket)
  const request = { canary, port: tripwires.port, abstractSocket, namespaces: privateNamespaces }
  const { output, stderr } = await runProbe(host, { folder, runners }, JSON.stringify(request))
  const writer = await lstat(join(folder, 'lathe-probe')).catch(() => undefined)
  await Promise.all([folder, runners, outside].map((path) => scratch.remove(path)))
  const facts = parseFacts(output)
  if (!facts) return [`the probe did not run: ${stderr.trim().slice(-500) || 'no output'}`]
  const namespaces = await ownNamespaces()
  return [
    ...judgeProbe(facts, { privateProc: host.privateProc, namespaces }),
    ...(tripwires.touched() ? ['a listener of the host was reached'] : []),
    // bwrap run by root gives the engine a harmless uid inside that is root's outside.
    ...(writer?.uid === 0 ? ['the engine acts as root outside'] : []),
  ]
}

const probeMs = 15_000

async function runProbe(host: Host, folders: { folder: string; runners: string }, request: string) {
  const MiB = 1024 * 1024
  const process = await startProcess(host, {
    ...folders,
    command: ['/opt/lathe/bin/node', '/opt/lathe/runners/probe.mjs', request],
    memoryBytes: 512 * MiB,
    fileBytes: MiB,
    stdin: 'ignore',
  })
  const timer = setTimeout(() => process.kill(), probeMs)
  let output = ''
  for await (const chunk of process.stdout) if (output.length < MiB) output += String(chunk)
  await process.ended
  clearTimeout(timer)
  return { output, stderr: process.stderr.text() }
}

function parseFacts(output: string): ProbeFacts | undefined {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

async function ownNamespaces(): Promise<Readonly<Record<string, string>>> {
  const links = privateNamespaces.map(async (name) => [name, await readlink(`/proc/self/ns/${name}`)] as const)
  return Object.fromEntries(await Promise.all(links))
}

interface Tripwires extends AsyncDisposable {
  readonly port: number
  touched(): boolean
}

// One on loopback and one on an abstract socket: the two doors a network namespace must close.
async function openTripwires(abstractSocket: string): Promise<Tripwires> {
  let touched = false
  const listen = async (target: Parameters<Server['listen']>[0] & object): Promise<Server> => {
    const server = createServer((socket) => {
      touched = true
      socket.destroy()
    })
    await once(server.listen(target), 'listening')
    return server
  }
  const loopback = await listen({ host: '127.0.0.1', port: 0 })
  const abstract = await listen({ path: `\0${abstractSocket}` })
  return {
    port: (loopback.address() as AddressInfo).port,
    touched: () => touched,
    async [Symbol.asyncDispose]() {
      for (const server of [loopback, abstract]) server.close()
    },
  }
}
