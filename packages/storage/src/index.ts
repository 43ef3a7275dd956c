export { type Archive, type ArchiveEntry, planArchive } from './archive/plan-archive.ts'
export { EntryChanged } from './archive/stream-pieces.ts'
export { isCheckKey } from './check-store.ts'
export { type DiskConfig, type S3Config, type StorageConfig, storageConfig, storageEnv } from './config.ts'
export { createStore } from './create-store.ts'
export { createLinkMaker, type LinkMaker } from './link-maker.ts'
export { type Link, signLink, verifyLink } from './link-signature.ts'
export { expiredPrefixes, type KeyParts, objectKey, readKey, type StoredKey } from './object-key.ts'
export {
  type ByteRange,
  type CopyOptions,
  type ListedObject,
  ObjectMissing,
  type ObjectStore,
  type OpenOptions,
  type PutOptions,
  SizeExceeded,
  type StoredObject,
} from './object-store.ts'
export { prepareBucket } from './s3/prepare-bucket.ts'
export { removeBucket } from './s3/remove-bucket.ts'
