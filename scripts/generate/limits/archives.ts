import { extractLimits, packLimits } from '../../../packages/engines/src/archive/limits.ts'
import { documentLimits } from '../../../packages/engines/src/documents/limits.ts'
import { packageLimits } from '../../../packages/engines/src/package/limits.ts'
import { bytes, count, type LimitGroup, seconds, threeSteps, unmeasured } from './limit.ts'

const documents = 'e2e/src/attacks/limits/documents.test.ts'
const packages = 'e2e/src/attacks/limits/packages.test.ts'
const images = 'packages/engines/src/vips/package-image.test.ts'
const counted = 'packages/engines/src/vips/zip-source.test.ts'
const attacks = 'packages/engines/src/package/attacks.int.test.ts'
const archive = 'e2e/src/attacks/limits/archives.test.ts'
const extracted = 'packages/engines/src/archive/attacks.int.test.ts: an archive that is a bomb'
const packed = 'packages/engines/src/archive/archive.test.ts'
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
      tests: threeSteps(documents, 'members of a document’s archive, 10,000'),
      real: 'archiveEntries',
    },
    {
      id: 'L-zip-bytes',
      name: 'Unpacked size of an office document',
      value: bytes(zip.bytes),
      beyond: `${isBeyond} Compress the images in the document, or split it.`,
      tests: threeSteps(documents, 'unpacked bytes of a document, 2 GiB'),
      real: 'archiveBytes',
    },
    {
      id: 'L-zip-ratio',
      name: 'Unpacked bytes of an office document for each packed byte',
      value: count(zip.ratio),
      beyond: isBomb,
      tests: threeSteps(documents, 'unpacked bytes for each packed one, 100'),
      real: 'archiveRatio',
    },
    {
      id: 'L-zip-ratio-from',
      name: 'Unpacked size of an office document from which that ratio counts',
      value: bytes(zip.ratioAfterBytes),
      beyond: 'The ratio above counts.',
      tests: threeSteps(documents, 'unpacked bytes of a document before its ratio counts, 64 MiB'),
      real: unmeasured.threshold,
    },
    {
      id: 'L-zip-depth',
      name: 'Archives inside one another in an office document',
      value: count(zip.depth),
      beyond: `${isBeyond} Save the embedded documents as files of their own.`,
      tests: threeSteps(documents, 'archives within an archive, 16'),
      real: 'archiveDepth',
    },
    {
      id: 'L-package-entries',
      name: 'Files in a document to compress',
      value: count(packageLimits.zip.entries),
      beyond: `${isBeyond} Split the document.`,
      tests: [
        ...threeSteps(packages, 'files in a document to compress, 10,000'),
        `${attacks}: an archive that is a bomb > may have as many entries as the limit and no more`,
      ],
      real: 'packageEntries',
    },
    {
      id: 'L-package-bytes',
      name: 'Unpacked size of a document to compress',
      value: bytes(packageLimits.zip.bytes),
      beyond: `${isBeyond} Split the document.`,
      tests: threeSteps(counted, 'unpacked bytes of a document to compress, 2 GiB'),
      real: 'packageBytes',
    },
    {
      id: 'L-package-ratio',
      name: 'Unpacked bytes of a document to compress for each packed byte',
      value: count(packageLimits.zip.ratio),
      beyond: isBomb,
      tests: [
        ...threeSteps(counted, 'unpacked bytes of a document to compress for each packed one, 250'),
        `${attacks}: an archive that is a bomb > may unfold by as much as a repetitive table does`,
      ],
      real: 'packageRatio',
    },
    {
      id: 'L-package-ratio-from',
      name: 'Unpacked size of a document to compress from which that ratio counts',
      value: bytes(packageLimits.zip.ratioAfterBytes),
      beyond: 'The ratio above counts.',
      tests: threeSteps(counted, 'unpacked bytes of a document to compress before the ratio counts, 128 MiB'),
      real: unmeasured.threshold,
    },
    {
      id: 'L-package-image',
      name: 'Size of an image inside a document to compress',
      value: bytes(packageLimits.imageBytes),
      beyond: 'The image stays as it is, and the rest is compressed. Compress the image before you insert it.',
      tests: threeSteps(packages, 'bytes of an image in a document to compress, 64 MiB'),
      real: 'packageImageBytes',
    },
    {
      id: 'L-package-pixels',
      name: 'Pixels of an image inside a document to compress',
      value: count(packageLimits.image.sourcePixels),
      beyond: 'The image stays as it is, and the rest is compressed. Scale the image down before you insert it.',
      tests: [
        ...threeSteps(images, 'pixels of an image in a document to compress, 150,000,000'),
        `${attacks}: an image within a document > of more pixels than the limit is left as it is`,
        `${attacks}: an image within a document > of as many pixels as fit becomes small within memory`,
        `${attacks}: an image within a document > that lies about its size is left as it is`,
      ],
      real: 'packageImagePixels',
    },
    {
      id: 'L-package-result-pixels',
      name: 'Pixels of an image inside a compressed document',
      value: count(packageLimits.image.pixels),
      beyond: 'The image stays as it is. Choose a lower `dpi`.',
      tests: threeSteps(images, 'pixels of an image in a compressed document, 40,000,000'),
      real: unmeasured.option,
    },
    {
      id: 'L-package-time',
      name: 'Time for all images of a document to compress',
      value: seconds(packageLimits.imagesMs / 1000),
      beyond: 'The remaining images stay as they are, and a warning states how many.',
      tests: [
        `${packages}: time for the images of a document to compress, 180 s > is what a document is given`,
        `${packages}: time for the images of a document to compress, 180 s > is enough for images that are reduced sooner`,
        `${packages}: time for the images of a document to compress, 180 s > leaves the remaining images as they are, and says so`,
      ],
      real: unmeasured.time,
    },
    {
      id: 'L-extract-entries',
      name: 'Entries of an archive to extract, folders and links included',
      value: count(extractLimits.entries),
      beyond: `${isBeyond} Split the archive.`,
      tests: [
        ...threeSteps(archive, 'entries of an archive to extract, 10,000'),
        `${extracted} > holds as many entries as the limit and no more`,
      ],
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-files',
      name: 'Files extracted from one archive',
      value: count(extractLimits.files),
      beyond: `${isBeyond} Choose files with the option \`only\`.`,
      tests: [
        ...threeSteps(archive, 'files extracted from one archive, 2,000'),
        `${extracted} > holds as many entries as the limit and no more`,
      ],
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-names',
      name: 'Names of all files extracted from one archive',
      value: bytes(extractLimits.namesBytes),
      beyond: `${isBeyond} Choose files with the option \`only\`.`,
      tests: [
        ...threeSteps(archive, 'names of files extracted from one archive, 900,000 bytes'),
        `${extracted} > has names no longer than the limit`,
      ],
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-bytes',
      name: 'Size of all files extracted from one archive',
      value: bytes(extractLimits.bytes),
      beyond: `${isBeyond} Choose files with the option \`only\`.`,
      tests: [
        ...threeSteps(archive, 'bytes extracted from one archive, 2 GiB'),
        `${extracted} > never gives more than the bytes of the limit, whatever it claims`,
      ],
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-ratio',
      name: 'Extracted bytes for each byte of an archive',
      value: count(extractLimits.ratio),
      beyond: `${isBeyond} Only attacks unpack to that much.`,
      tests: [
        ...threeSteps(archive, 'bytes extracted for each byte of an archive, 200'),
        `${extracted} > unpacks to no more than the ratio, once it is large`,
      ],
      real: unmeasured.archive,
    },
    {
      id: 'L-extract-ratio-from',
      name: 'Extracted size from which that ratio counts',
      value: bytes(extractLimits.ratioAfterBytes),
      beyond: 'The ratio above counts.',
      tests: [
        ...threeSteps(archive, 'bytes extracted before the ratio counts, 64 MiB'),
        `${extracted} > unpacks to no more than the ratio, once it is large`,
      ],
      real: unmeasured.threshold,
    },
    {
      id: 'L-pack-files',
      name: 'Files packed into one archive',
      value: count(packLimits.files),
      beyond: `${isBeyond} Make several archives.`,
      tests: threeSteps(packed, 'files packed into one archive, 2,000'),
      real: unmeasured.archive,
    },
    {
      id: 'L-pack-bytes',
      name: 'Size of all files packed into one archive',
      value: bytes(packLimits.bytes),
      beyond: `${isBeyond} Make several archives.`,
      tests: threeSteps(packed, 'bytes packed into one archive, 2 GiB'),
      real: unmeasured.archive,
    },
  ],
}
