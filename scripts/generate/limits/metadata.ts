import { metadataLimits } from '../../../packages/engines/src/metadata/limits.ts'
import { bytes, count, type LimitGroup, threeSteps, unmeasured } from './limit.ts'

const file = 'packages/engines/src/metadata/limits.int.test.ts'
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
      tests: threeSteps(file, 'characters of one value of metadata, 10,000'),
      real: unmeasured.metadata,
    },
    {
      id: 'L-metadata-entries',
      name: 'Entries of one list of metadata',
      value: count(metadataLimits.entries),
      beyond: isCut,
      tests: threeSteps(file, 'entries of one list of metadata, 500'),
      real: unmeasured.metadata,
    },
    {
      id: 'L-metadata-bytes',
      name: 'Metadata of a file as JSON',
      value: bytes(metadataLimits.bytes),
      beyond: 'The task fails with `limit_exceeded`.',
      tests: threeSteps(file, 'bytes of metadata as JSON, 4 MiB'),
      real: unmeasured.metadata,
    },
  ],
}
