export { type Archive, type ArchiveEntry, planArchive } from './archive/plan-archive.ts'
export { EntryChanged } from './archive/stream-pieces.ts'
export { type DiskConfig, type S3Config, type StorageConfig, storageConfig, storageEnv } from './config.ts'
export { createStore } from './create-store.ts'
export { createLinkMaker, type LinkMaker } from './link-maker.ts'
export { type Link, signLink, verifyLink } from './link-signature.ts'
export { expiredPrefixes, type KeyParts, objectKey } from './object-key.ts'
export {
  type ByteRange,
  type CopyOptions,
  ObjectMissing,
  type ObjectStore,
  type OpenOptions,
  type PutOptions,
  SizeExceeded,
  type StoredObject,
} from './object-store.ts'
export { type ListedObject, listObjects } from './s3/list-objects.ts'
export { prepareBucket } from './s3/prepare-bucket.ts'
export { removeBucket } from './s3/remove-bucket.ts'
