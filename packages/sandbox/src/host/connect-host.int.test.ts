import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failure } from '@lathe/domain'
import { waitFor } from '@lathe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallOptions } from '../instance.ts'
import { createJobFolder } from '../job-folder.ts'
import { openOutput } from '../open-output.ts'
import type { ProcessStep, RunEnd, RunOptions } from '../run.ts'
import type { Sandbox } from '../sandbox.ts'
import { openScratch } from '../scratch.ts'
import { connectHost, EngineHostLost } from './connect-host.ts'
import { listenHost } from './listen-host.ts'

const limits = { timeMs: 1000, memoryBytes: 2 ** 20, outputBytes: 2 ** 20 }
const step = { program: '/bin/x', args: ['a', 'b'], limits }
const forever = () => new AbortController().signal

type Runs = (step: ProcessStep, options: RunOptions) => Promise<RunEnd>

/** A host whose engines are functions of the test, on a real scratch folder and a real socket. */
async function openHost(
  dir: string,
  runs: Runs,
  call = async (_: CallOptions): Promise<never> => failure('internal') as never,
) {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await openScratch(dir, undefined))
  const sandbox = {
    ...{
      level: 2,
      report: { uid: 1, engineRootUpToDateAt: new Date(0) },
      scratch,
      openOutput,
      host: { identity: undefined },
    },
    createJobFolder: () => createJobFolder(scratch),
    run: runs,
  } as unknown as Sandbox
  const runners = {
    call: (_runner: string, _owner: string, _request: unknown, options: CallOptions) => call(options),
    lacking: [],
  }
  stack.use(await listenHost({ sandbox, runners }, { path: join(dir, 'host.sock') }))
  const all = stack.move()
  return { home: join(dir, scratch.name), [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const done: RunEnd = { kind: 'exited', code: 0, stderr: '' }

describe('a worker and its engine host', () => {
  let dir: string
  const connected = (more = {}) => connectHost({ path: join(dir, 'host.sock'), scratchDir: dir, ...more })
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lathe-host-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  it('share a folder; the host receives what to run and reports lines and the end', async () => {
    const heard: unknown[] = []
    await using _ = await openHost(dir, async (asked, { folder, onLine, givesWay }) => {
      heard.push(asked, givesWay, await readFile(join(folder.path, 'in-0.txt'), 'utf8'))
      onLine?.('frame=1')
      onLine?.('frame=2')
      await writeFile(join(folder.path, 'out.txt'), 'made')
      return done
    })
    await using host = await connected()
    const folder = await host.createJobFolder()
    {
      await using input = await folder.createFile('in-0.txt')
      await input.writeFile('given')
    }
    const lines: string[] = []
    expect(await host.run(step, { folder, signal: forever(), onLine: (line) => lines.push(line) })).toEqual(done)
    expect(heard).toEqual([step, false, 'given'])
    expect(lines).toEqual(['frame=1', 'frame=2'])
    const output = await host.openOutput(folder, 'out.txt')
    expect(output).toMatchObject({ size: 4 })
    if ('size' in output) await output[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  it('agree on permits: an instance starts when the worker allows it, and a refusal ends the call', async () => {
    const call = async ({ takePermit, onProgress, signal }: CallOptions) => {
      using _turn = await takePermit?.(signal)
      onProgress?.(0.5)
      return { kind: 'done', result: { pages: 3 } } as never
    }
    await using _ = await openHost(dir, async () => done, call)
    await using host = await connected()
    await using folder = await host.createJobFolder()
    const log: unknown[] = []
    const takePermit = async () => {
      log.push('taken')
      return { [Symbol.dispose]: () => void log.push('over') }
    }
    const options = { folder, limits, signal: forever(), onProgress: (share: number) => void log.push(share) }
    const end = await host.runners.call('vips', 'owner', {}, { ...options, takePermit })
    expect(end).toEqual({ kind: 'done', result: { pages: 3 } })
    expect(log).toEqual(['taken', 0.5, 'over'])
    const refusal = new Error('no engine is free')
    const refused = host.runners.call('vips', 'owner', {}, { ...options, takePermit: () => Promise.reject(refusal) })
    await expect(refused).rejects.toBe(refusal)
  })

  it('stop a run together, and pass on the code of an error', async () => {
    const runs: Runs = ({ program }, { signal }) => {
      if (program === '/full') throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      const killed: RunEnd = { kind: 'killed', by: 'caller', stderr: '' }
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(killed), { once: true }))
    }
    await using _ = await openHost(dir, runs)
    await using host = await connected()
    await using folder = await host.createJobFolder()
    const stop = new AbortController()
    const running = host.run(step, { folder, signal: stop.signal })
    stop.abort(new Error('canceled'))
    expect(await running).toMatchObject({ kind: 'killed', by: 'caller' })
    const full = host.run({ ...step, program: '/full' }, { folder, signal: forever() })
    await expect(full).rejects.toMatchObject({ code: 'ENOSPC' })
  })

  it('S4: recover from a lost connection: the worker notices it and connects to the next host, which has other folders', async () => {
    const changes: boolean[] = []
    const stuck: Runs = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(done), { once: true }))
    const first = await openHost(dir, stuck)
    await using host = await connected({ onChange: (isThere: boolean) => changes.push(isThere) })
    const folder = await host.createJobFolder()
    const lost = expect(host.run(step, { folder, signal: forever() })).rejects.toBeInstanceOf(EngineHostLost)
    await first[Symbol.asyncDispose]()
    await lost
    await using _ = await openHost(dir, async () => done)
    await expect(host.run(step, { folder, signal: forever() })).rejects.toBeInstanceOf(EngineHostLost)
    await folder[Symbol.asyncDispose]()
    await using next = await host.createJobFolder()
    expect(await host.run(step, { folder: next, signal: forever() })).toEqual(done)
    expect(changes).toEqual([true, false, true])
  })

  it('S4: leave nothing behind when the worker dies: its runs are stopped and its folders removed', async () => {
    const stopped = Promise.withResolvers<void>()
    const runs: Runs = (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          stopped.resolve()
          resolve(done)
        }),
      )
    await using opened = await openHost(dir, runs)
    const host = await connected()
    const folder = await host.createJobFolder()
    const made = join(opened.home, (folder as unknown as { name: string }).name)
    expect(existsSync(made)).toBe(true)
    const lost = expect(host.run(step, { folder, signal: forever() })).rejects.toBeInstanceOf(EngineHostLost)
    await host[Symbol.asyncDispose]()
    await Promise.all([lost, stopped.promise])
    await waitFor(() => !existsSync(made), { withinMs: 5_000, what: 'the end of the folder' })
    await folder[Symbol.asyncDispose]()
  })

  it('S4: a host that replaces a folder with a link does not redirect the worker', async () => {
    await using opened = await openHost(dir, async () => done)
    await using host = await connected()
    await using folder = await host.createJobFolder()
    const made = join(opened.home, (folder as unknown as { name: string }).name)
    await writeFile(join(dir, 'out.txt'), 'a secret of the worker')
    await rename(made, `${made}-aside`)
    await symlink(dir, made)
    expect(await host.openOutput(folder, 'out.txt')).toMatchObject({ code: 'output_missing' })
    await rm(made)
    await rename(`${made}-aside`, made)
  })

  it('need far less than a millisecond for a step', async () => {
    await using _ = await openHost(dir, async () => done)
    await using host = await connected()
    await using folder = await host.createJobFolder()
    const times: number[] = []
    for (let n = 0; n < 500; n += 1) {
      const from = performance.now()
      await host.run(step, { folder, signal: forever() })
      times.push(performance.now() - from)
    }
    const [fastest = 0, median = 0] = [0, 250].map((at) => times.toSorted((a, b) => a - b)[at])
    console.log(`a step over the socket: ${median.toFixed(3)} ms in the middle, ${fastest.toFixed(3)} ms at best`)
    // The best of many: on a busy machine the others measure the other load.
    expect(fastest).toBeLessThan(0.5)
  })
})
