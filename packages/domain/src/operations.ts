/** What a task can do. The kind decides who runs it and whether it needs an input. */
const table = {
  'import/upload': 'import',
  'import/url': 'import',
  'import/base64': 'import',
  'import/webpage': 'import',
  'import/objstore_a': 'import',
  'import/objstore_b': 'import',
  'import/blobstore': 'import',
  'import/sftp': 'import',
  convert: 'process',
  compress: 'process',
  merge: 'process',
  crop: 'process',
  trim: 'process',
  'export/url': 'export',
  'export/objstore_a': 'export',
  'export/objstore_b': 'export',
  'export/blobstore': 'export',
  'export/sftp': 'export',
} as const

export type Operation = keyof typeof table
export type OperationKind = (typeof table)[Operation]
export type ProcessingOperation = { [O in Operation]: (typeof table)[O] extends 'process' ? O : never }[Operation]

export const operations = Object.keys(table) as Operation[]
export const processingOperations = operations.filter((name) => table[name] === 'process') as ProcessingOperation[]

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(table, name)
}

export function kindOf(operation: Operation): OperationKind {
  return table[operation]
}

/** Whether the task waits for its caller's upload instead of a worker. */
export function isUpload(operation: Operation): boolean {
  return operation === 'import/upload'
}
