import { randomBytes } from 'node:crypto'
import type { Fence } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { objectKey } from '@lathe/storage'

/**
 * Names the objects of one run. The attempt alone is not unique: a database that fails over may lose a claim. The same
 * attempt then runs twice, and only one of the two is committed. The objects expire with those of `taskId`.
 */
export function createRunKeys({ attempt }: Pick<Fence, 'attempt'>, taskId: ObjectId): (n: number) => string {
  const run = `${attempt}-${randomBytes(8).toString('hex')}`
  return (n) => objectKey({ taskId, attempt: run, n })
}
