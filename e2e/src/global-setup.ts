import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@lathe/testing'
import type { TestProject } from 'vitest/node'
import { startKeyDesk } from './key-desk.ts'

/** What scenarios know about the stack: addresses, and process ids to watch. */
export interface ProvidedStack {
  readonly url: string
  readonly keyDeskUrl: string
  readonly recordFile: string
  readonly apiPid: number
  readonly workerPid: number
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: ProvidedStack
  }
}

/** Starts one stack for all scenarios; what it gives is called when the last of them has ended. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'lathe-e2e-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const stack = parts.use(await startStack())
  const keyDesk = parts.use(await startKeyDesk(stack))
  project.provide('stack', {
    url: stack.url,
    keyDeskUrl: keyDesk.url,
    recordFile: join(folder, 'exercised'),
    apiPid: stack.apps('api')[0]?.pid ?? -1,
    workerPid: stack.apps('worker')[0]?.pid ?? -1,
  })
  const all = parts.move()
  return () => all.disposeAsync()
}
