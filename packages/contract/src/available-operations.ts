import { type Operation, operations } from '@lathe/domain'

/**
 * Operations whose connector does not exist yet. Their requests are validated
 * like any other, then refused: accepting a task nobody can run would be a lie.
 */
export const unavailableOperations: ReadonlySet<Operation> = new Set<Operation>([
  'import/webpage',
  'import/objstore_a',
  'import/objstore_b',
  'import/blobstore',
  'import/sftp',
  'export/objstore_a',
  'export/objstore_b',
  'export/blobstore',
  'export/sftp',
])

/** The operations this server carries out. */
export const availableOperations: readonly Operation[] = operations.filter((name) => !unavailableOperations.has(name))
