import { metadataLimits } from '../../../packages/engines/src/metadata/limits.ts'
import { bytes, count, type LimitGroup, unmeasured } from './limit.ts'

const isCut = 'The rest is cut, with a warning.'

/** Limits of metadata that is read. */
export const metadata: LimitGroup = {
  title: 'Metadata',
  limits: [
    {
      id: 'L-metadata-characters',
      name: 'Characters of one value of metadata',
      value: count(metadataLimits.characters),
      beyond: isCut,
      real: unmeasured.metadata,
    },
    {
      id: 'L-metadata-entries',
      name: 'Entries of one list of metadata',
      value: count(metadataLimits.entries),
      beyond: isCut,
      real: unmeasured.metadata,
    },
    {
      id: 'L-metadata-bytes',
      name: 'Metadata of a file as JSON',
      value: bytes(metadataLimits.bytes),
      beyond: 'The task fails with `limit_exceeded`.',
      real: unmeasured.metadata,
    },
  ],
}
