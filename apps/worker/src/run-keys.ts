import { randomBytes } from 'node:crypto'
import type { Fence } from '@lathe/database'
import { objectKey } from '@lathe/storage'

/**
 * Names the objects of one run. The attempt alone is not enough: a database that fails over may forget a claim, and the
 * same attempt then runs twice, while only one of the two is committed.
 */
export function createRunKeys({ taskId, attempt }: Fence): (n: number) => string {
  const run = `${attempt}-${randomBytes(8).toString('hex')}`
  return (n) => objectKey({ taskId, attempt: run, n })
}
