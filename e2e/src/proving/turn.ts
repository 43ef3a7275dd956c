import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '@lathe/contract'
import { needsSeveral, rolesOf, takesOutputFormat } from '@lathe/operations'
import type { Client } from '../client.ts'
import { neededOptions, type Pair } from '../samples/pair.ts'

/**
 * Imports a file and starts the operation of a pair; a merge gets the file twice. Returns the task before it has ended.
 */
export async function startTurn(api: Client, pair: Pair, content: Buffer): Promise<Task> {
  const { operation, from, to } = pair
  const filename = `sample.${from}`
  const input = [(await api.importBytes(content, filename)).id]
  if (needsSeveral(operation)) input.push((await api.importBytes(content, filename)).id)
  const target = takesOutputFormat(operation) ? { output_format: to } : {}
  const roles = await neededRoles(api, pair, content)
  return api.create(operation, { input, ...roles, options: neededOptions(pair), ...target })
}

/** Additional files that an operation needs: the sample again. */
async function neededRoles(api: Client, { operation, from }: Pair, content: Buffer): Promise<Record<string, string>> {
  const roles: Record<string, string> = {}
  for (const [role, { isOptional }] of Object.entries(rolesOf(operation))) {
    if (!isOptional) roles[role] = (await api.importBytes(content, `sample.${from}`)).id
  }
  return roles
}

// The longest deadline of a small file is that of documents, 300 s; a crash is tried again twice.
const longestMs = 1_000_000

/** Waits for the end of a task, however busy the machine is. */
export async function untilEnded(api: Client, id: string): Promise<Task> {
  const giveUpAt = performance.now() + longestMs
  while (performance.now() < giveUpAt) {
    const { body } = await api.get<Task>(`/v1/process/tasks/${id}`, { prefer: 'wait=30' })
    if (body.status !== 'created' && body.status !== 'processing') return body
    await pause(20)
  }
  throw new Error(`task ${id} did not end in ${longestMs / 1000} s`)
}

/** How a task ended, in one word: `completed`, `canceled`, or its failure code. */
export function endOf({ status, result }: Task): string {
  return status === 'failed' ? (result.reason ?? 'failed without a reason') : status
}
