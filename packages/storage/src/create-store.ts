import type { StorageConfig } from './config.ts'
import { createDiskStore } from './disk/disk-store.ts'
import type { ObjectStore } from './object-store.ts'
import { createS3Store } from './s3/s3-store.ts'

/** Opens the store the configuration asks for. It need not answer yet: `check` tells whether it does. */
export async function createStore(config: StorageConfig): Promise<ObjectStore & AsyncDisposable> {
  return config.kind === 's3' ? createS3Store(config) : createDiskStore(config)
}
