import { readFileSync } from 'node:fs'
import type { Task } from '@lathe/contract'
import type { KeyOptions, StackKey } from '@lathe/testing'
import { inject } from 'vitest'
import { type FixtureName, fixturePath } from '../../fixtures/fixtures.ts'
import { type Client, createClient } from './client.ts'

/** The running service. */
export const stack = inject('stack')

/** Creates a user and an API key for it. */
export async function newKey(options: KeyOptions = {}): Promise<StackKey> {
  return askKeyDesk(options) as Promise<StackKey>
}

export async function revokeKey(keyId: string): Promise<void> {
  await askKeyDesk({ revoke: keyId })
}

async function askKeyDesk(request: object): Promise<unknown> {
  const response = await fetch(stack.keyDeskUrl, { method: 'POST', body: JSON.stringify(request) })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/** A client with its own user, so that its lists contain no other tasks. */
export async function newClient(options: KeyOptions = {}): Promise<Client> {
  const { key } = await newKey({ slots: 8, ...options })
  return createClient({ url: stack.url, key, recordFile: stack.recordFile })
}

/** The bytes of a fixture. */
export function fixture(name: FixtureName): Buffer {
  return readFileSync(fixturePath(name))
}

/** The body of an `import/base64` of a fixture. */
export function base64Body(name: FixtureName, filename: string = name): { file: string; filename: string } {
  return dataBody(fixture(name), filename)
}

export function dataBody(bytes: Uint8Array, filename: string): { file: string; filename: string } {
  return { file: `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`, filename }
}

/** The same, as a task of a job. */
export function importTask(name: FixtureName, filename: string = name) {
  return { operation: 'import/base64', ...base64Body(name, filename) }
}

/** Imports a fixture and returns the completed task. */
export async function importFixture(api: Client, name: FixtureName, filename: string = name): Promise<Task> {
  return completed(await api.run('import/base64', base64Body(name, filename)))
}

/** Returns the task if it is completed; otherwise throws its failure. */
export function completed(task: Task): Task {
  if (task.status !== 'completed')
    throw new Error(`${task.operation} is ${task.status}: ${JSON.stringify(task.result)}`)
  return task
}

/** Downloads all files of a completed task. */
export function outputsOf(api: Client, task: Task): Promise<readonly Buffer[]> {
  return Promise.all((completed(task).result.files ?? []).map(({ url }) => api.download(url)))
}

/** Downloads the one file of a completed task. */
export function outputOf(api: Client, task: Task): Promise<Buffer> {
  const [file, ...others] = completed(task).result.files ?? []
  if (!file || others.length > 0) throw new Error(`${task.result.files?.length ?? 0} files instead of one`)
  return api.download(file.url)
}
