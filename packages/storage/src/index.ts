export { planArchive } from './archive/plan-archive.ts'
export { isCheckKey } from './check-store.ts'
export { storageConfig, storageEnv } from './config.ts'
export { createStore } from './create-store.ts'
export { expiredPrefixes, isExpiredKey, objectKey, readKey } from './object-key.ts'
export {
  type ByteRange,
  type ListedObject,
  ObjectMissing,
  type ObjectStore,
  ObjectsNotDeleted,
  type OpenOptions,
  SizeExceeded,
} from './object-store.ts'
export { prepareBucket } from './s3/prepare-bucket.ts'
export { removeBucket } from './s3/remove-bucket.ts'
