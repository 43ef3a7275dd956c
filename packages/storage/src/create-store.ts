import type { StorageConfig } from './config.ts'
import { createDiskStore } from './disk/disk-store.ts'
import type { ObjectStore } from './object-store.ts'
import { createS3Store } from './s3/s3-store.ts'

/** Opens the configured store. It need not be available yet: `check` tests that. */
export async function createStore(config: StorageConfig): Promise<ObjectStore & AsyncDisposable> {
  return config.kind === 's3' ? createS3Store(config) : createDiskStore(config)
}
