import { extractLimits, packLimits } from '../../../packages/engines/src/archive/limits.ts'
import { documentLimits } from '../../../packages/engines/src/documents/limits.ts'
import { packageLimits } from '../../../packages/engines/src/package/limits.ts'
import { bytes, count, type LimitGroup, seconds, unmeasured } from './limit.ts'

const { zip } = documentLimits
const isBeyond = 'The task fails with `limit_exceeded`.'
const isBomb = `${isBeyond} Only attacks unpack to that much. Save the document again with other software.`

/** Limits for converting and compressing documents that are ZIP archives, and for extracting archives. */
export const archives: LimitGroup = {
  title: 'Archives and packages',
  limits: [
    {
      id: 'L-zip-members',
      name: 'Files in the archive of an office document, archives inside included',
      value: count(zip.entries),
      beyond: `${isBeyond} Remove embedded files, or split the document.`,
      real: 'archiveEntries',
    },
    {
      id: 'L-zip-bytes',
      name: 'Unpacked size of an office document',
      value: bytes(zip.bytes),
      beyond: `${isBeyond} Compress the images in the document, or split it.`,
      real: 'archiveBytes',
    },
    {
      id: 'L-zip-ratio',
      name: 'Unpacked bytes of an office document for each packed byte',
      value: count(zip.ratio),
      beyond: isBomb,
      real: 'archiveRatio',
    },
    {
      id: 'L-zip-ratio-from',
      name: 'Unpacked size of an office document from which that ratio counts',
      value: bytes(zip.ratioAfterBytes),
      beyond: 'The ratio above counts.',
      real: unmeasured.threshold,
    },
    {
      id: 'L-zip-depth',
      name: 'Archives inside one another in an office document',
      value: count(zip.depth),
      beyond: `${isBeyond} Save the embedded documents as files of their own.`,
      real: 'archiveDepth',
    },
    {
      id: 'L-package-entries',
      name: 'Files in a document to compress',
      value: count(packageLimits.zip.entries),
      beyond: `${isBeyond} Split the document.`,
      real: 'packageEntries',
    },
    {
      id: 'L-package-bytes',
      name: 'Unpacked size of a document to compress',
      value: bytes(packageLimits.zip.bytes),
      beyond: `${isBeyond} Split the document.`,
      real: 'packageBytes',
    },
    {
      id: 'L-package-ratio',
      name: 'Unpacked bytes of a document to compress for each packed byte',
      value: count(packageLimits.zip.ratio),
      beyond: isBomb,
      real: 'packageRatio',
    },
    {
      id: 'L-package-ratio-from',
      name: 'Unpacked size of a document to compress from which that ratio counts',
      value: bytes(packageLimits.zip.ratioAfterBytes),
      beyond: 'The ratio above counts.',
      real: unmeasured.threshold,
    },
    {
      id: 'L-package-image',
      name: 'Size of an image inside a document to compress',
      value: bytes(packageLimits.imageBytes),
      beyond: 'The image stays as it is, and the rest is compressed. Compress the image before you insert it.',
      real: 'packageImageBytes',
    },
    {
      id: 'L-package-pixels',
      name: 'Pixels of an image inside a document to compress',
      value: count(packageLimits.image.sourcePixels),
      beyond: 'The image stays as it is, and the rest is compressed. Scale the image down before you insert it.',
      real: 'packageImagePixels',
    },
    {
      id: 'L-package-result-pixels',
      name: 'Pixels of an image inside a compressed document',
      value: count(packageLimits.image.pixels),
      beyond: 'The image stays as it is. Choose a lower `dpi`.',
      real: unmeasured.option,
    },
    {
      id: 'L-package-time',
      name: 'Time for all images of a document to compress',
      value: seconds(packageLimits.imagesMs / 1000),
      beyond: 'The remaining images stay as they are, and a warning states how many.',
      real: unmeasured.time,
    },
    {
      id: 'L-extract-entries',
      name: 'Entries of an archive to extract, folders and links included',
      value: count(extractLimits.entries),
      beyond: `${isBeyond} Split the archive.`,
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-files',
      name: 'Files extracted from one archive',
      value: count(extractLimits.files),
      beyond: `${isBeyond} Choose files with the option \`only\`.`,
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-names',
      name: 'Names of all files extracted from one archive',
      value: bytes(extractLimits.namesBytes),
      beyond: `${isBeyond} Choose files with the option \`only\`.`,
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-bytes',
      name: 'Size of all files extracted from one archive',
      value: bytes(extractLimits.bytes),
      beyond: `${isBeyond} Choose files with the option \`only\`.`,
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-ratio',
      name: 'Extracted bytes for each byte of an archive',
      value: count(extractLimits.ratio),
      beyond: `${isBeyond} Only attacks unpack to that much.`,
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-ratio-from',
      name: 'Extracted size from which that ratio counts',
      value: bytes(extractLimits.ratioAfterBytes),
      beyond: 'The ratio above counts.',
      real: unmeasured.threshold,
    },
    {
      id: 'L-pack-files',
      name: 'Files packed into one archive',
      value: count(packLimits.files),
      beyond: `${isBeyond} Make several archives.`,
      real: unmeasured.archive,
    },
    {
      id: 'L-pack-bytes',
      name: 'Size of all files packed into one archive',
      value: bytes(packLimits.bytes),
      beyond: `${isBeyond} Make several archives.`,
      real: unmeasured.archive,
    },
  ],
}
