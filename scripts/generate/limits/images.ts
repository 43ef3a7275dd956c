import { dicomLimits } from '../../../packages/engines/src/dicom/limits.ts'
import { optimizeLimits } from '../../../packages/engines/src/optimize/limits.ts'
import { longestSides, pillowSeconds } from '../../../packages/engines/src/pictures/decoder-limits.ts'
import { pictureLimits } from '../../../packages/engines/src/pictures/limits.ts'
import { packedDrawingLimits } from '../../../packages/formats/src/index.ts'
import { bytes, count, type Limit, type LimitGroup, seconds, threeSteps, unmeasured } from './limit.ts'
import { drawnSide, longestSide, referenceBytes } from './runner-numbers.ts'

const pictures = 'e2e/src/attacks/limits/pictures.test.ts'
const decoders = 'e2e/src/attacks/limits/decoders.test.ts'
const dicom = 'packages/engines/src/dicom/dicom.test.ts'
const attacks = 'packages/engines/src/vips/attacks.int.test.ts'
const optimizing = 'packages/engines/src/optimize/optimize.int.test.ts: what cannot be optimized'
const searching = 'packages/engines/src/vips/quality-search.test.ts: the search for a quality'
const optimizeSteps = 'packages/engines/src/vips/optimize-limits.test.ts'
const unpacking = 'apps/worker/src/unpack-drawing.int.test.ts'
const { pixels, frames, animationPixels, splitPages, svgBytes, svgDepth, pdfPages, pdfInputBytes } = pictureLimits

const sides: readonly Limit[] = (['jpg', 'webp', 'avif', 'gif'] as const).map((format) => ({
  id: 'L-format-side',
  name: `Longest side of a result in ${format}, in pixels`,
  value: count(longestSide[format]),
  beyond: 'The task fails with `limit_exceeded`: the format holds no more. Choose another format or a smaller size.',
  tests: [
    ...threeSteps(
      'packages/engines/src/vips/encode.test.ts',
      `pixels a side of a result in ${format}, ${longestSide[format]}`,
    ),
    ...(format === 'webp' ? threeSteps(decoders, 'pixels a side of a WebP result, 16,383') : []),
    `${attacks}: B02 pixel bombs > B02: that fit but not the output format are refused with its limit`,
  ],
  real: { jpg: 'resultSideJpg', webp: 'resultSideWebp', avif: 'resultSideAvif', gif: 'resultSideGif' }[
    format
  ] as Limit['real'],
}))

const noneOptimized = { reason: 'This run optimizes no images.' }

const optimized: readonly Limit[] = [
  {
    id: 'L-optimize-pixels',
    name: 'Pixels of an optimized image',
    value: count(optimizeLimits.optimizedPixels),
    beyond: 'The task fails with `limit_exceeded`. Ask for a smaller image with `width` or `height`.',
    tests: [
      ...threeSteps(optimizeSteps, 'pixels of an optimized image, 32,000,000'),
      `${optimizing} > has too many pixels, unless it is made smaller`,
    ],
    real: noneOptimized,
  },
  {
    id: 'L-optimize-frames',
    name: 'Pixels of all frames of an optimized animation together',
    value: count(optimizeLimits.optimizedFramesPixels),
    beyond: 'The task fails with `limit_exceeded`. Trim the animation, or convert it to a video.',
    tests: [
      ...threeSteps(optimizeSteps, 'pixels of all frames of an optimized animation, 40,000,000'),
      `${optimizing} > has too many pixels in all its frames`,
    ],
    real: noneOptimized,
  },
  {
    id: 'L-optimize-avif',
    name: 'Pixels of an optimized image up to which AVIF is tried',
    value: count(optimizeLimits.avifPixels),
    beyond: 'The other formats are tried. If only AVIF is allowed, the task fails with `limit_exceeded`.',
    tests: [
      ...threeSteps(optimizeSteps, 'pixels of an image that AVIF is tried for, 16,000,000'),
      `${optimizing} > has too many pixels for AVIF, if nothing else is allowed`,
    ],
    real: noneOptimized,
  },
  {
    id: 'L-optimize-time',
    name: 'Time after which an optimized image that is good enough is not improved',
    value: seconds(optimizeLimits.searchMs / 1000),
    beyond: 'The smallest result so far is used.',
    tests: [
      ...threeSteps(optimizeSteps, 'time of a search for smaller images, 30 s'),
      `${searching} > returns the best result at its time limit`,
    ],
    real: unmeasured.time,
  },
]

/** Limits of images and drawings. */
export const images: LimitGroup = {
  title: 'Images',
  limits: [
    {
      id: 'L-pixels',
      name: 'Pixels of an image, before and after the conversion',
      value: count(pixels),
      beyond: 'The task fails with `limit_exceeded`. Scale the image down first, or ask for a smaller result.',
      tests: threeSteps(pictures, 'pixels of a still picture, 268,402,689'),
      real: 'imagePixels',
    },
    {
      id: 'L-frames',
      name: 'Frames of an animation, pages of a TIFF',
      value: count(frames),
      beyond: 'The task fails with `limit_exceeded`. Split the file, or convert an animation as a video.',
      tests: threeSteps(pictures, 'frames of an animation, 2,000'),
      real: 'imageFrames',
    },
    {
      id: 'L-tiff-split',
      name: 'Pages of a TIFF that is split',
      value: count(splitPages),
      beyond: 'The task fails with `limit_exceeded`.',
      tests: threeSteps('packages/engines/src/vips/tiff-split.int.test.ts', 'pages of a TIFF to split, 10,000'),
      real: 'imageFrames',
    },
    {
      id: 'L-area',
      name: 'Pixels of all frames or pages together',
      value: count(animationPixels),
      beyond: 'The task fails with `limit_exceeded`. Scale the animation down or split it.',
      tests: threeSteps(pictures, 'pixels of all frames, 1,000,000,000'),
      real: 'imageFramesPixels',
    },
    {
      id: 'L-image-side',
      name: 'Longest side of an image that ImageMagick reads, in pixels',
      value: count(longestSides.any),
      beyond:
        'Pillow reads the image, if it knows the format. Otherwise the task fails with `limit_exceeded`: cut the image into parts.',
      tests: threeSteps(decoders, 'pixels a side that ImageMagick reads, 1,000,000'),
      real: 'imageSide',
    },
    {
      id: 'L-icon-side',
      name: 'Longest side of an icon or cursor that ImageMagick reads, in pixels',
      value: count(longestSides.icon),
      beyond: 'Pillow reads the icon instead.',
      tests: threeSteps(decoders, 'pixels a side of an icon, 8,192'),
      real: 'iconSide',
    },
    {
      id: 'L-fits-side',
      name: 'Longest side of a FITS image that ImageMagick reads, in pixels',
      value: count(longestSides.fits),
      beyond: 'Pillow reads the image instead.',
      tests: threeSteps(decoders, 'pixels a side of a FITS image, 16,384'),
      real: 'fitsSide',
    },
    {
      id: 'L-pillow-time',
      name: 'Time for Pillow to read an image',
      value: seconds(pillowSeconds),
      beyond: 'The task fails with `input_damaged`: only damaged files take that long. Save the image again.',
      tests: [
        `${decoders}: time for Pillow, 45 s > is what its script is given`,
        `${decoders}: time for Pillow, 45 s > is enough for an image that is read sooner`,
        `${decoders}: time for Pillow, 45 s > ends an image that takes longer`,
      ],
      real: unmeasured.time,
    },
    ...sides,
    ...optimized,
    {
      id: 'L-dicom-frames',
      name: 'Frames of a DICOM file that become images',
      value: count(dicomLimits.frames),
      beyond: 'The task fails with `limit_exceeded`. Choose one with `frame`.',
      tests: threeSteps(dicom, 'frames of a DICOM file, 2,000'),
      real: { reason: 'No file of the corpus is one.' },
    },
    {
      id: 'L-dicom-pixels',
      name: 'Pixels of a DICOM image',
      value: count(dicomLimits.pixels),
      beyond: 'The task fails with `limit_exceeded`. Save it smaller with the software that made it.',
      tests: threeSteps(dicom, 'pixels of a DICOM image, 100,000,000'),
      real: { reason: 'No file of the corpus is one.' },
    },
    {
      id: 'L-svg-bytes',
      name: 'Size of an SVG, unpacked',
      value: bytes(svgBytes),
      beyond: 'The task fails with `limit_exceeded`. Simplify the drawing, or embed fewer images.',
      tests: threeSteps(pictures, 'bytes of a drawing, 32 MiB'),
      real: 'drawingBytes',
    },
    {
      id: 'L-packed-drawing',
      name: 'Size of an svgz, emz or wmz, unpacked',
      value: bytes(packedDrawingLimits.bytes),
      beyond: 'The task fails with `limit_exceeded`. Simplify the drawing, or embed fewer images.',
      tests: [
        `${unpacking}: a compressed drawing > B05: is held to its limit: %s`,
        `${unpacking}: a compressed drawing > is decompressed completely, also with several members or trailing bytes`,
        `${unpacking}: a compressed drawing > B05: that is a bomb is stopped early, with memory and disk for no more than its limit`,
      ],
      real: { reason: 'The collections have no such file.' },
    },
    {
      id: 'L-packed-drawing',
      name: `Unpacked bytes of an svgz, emz or wmz for each packed one, from ${bytes(packedDrawingLimits.ratioAfterBytes).text} on`,
      value: count(packedDrawingLimits.ratio),
      beyond: 'The task fails with `limit_exceeded`. Import the drawing unpacked.',
      tests: [`${unpacking}: a compressed drawing > B05: is limited by its compression ratio`],
      real: { reason: 'The collections have no such file.' },
    },
    {
      id: 'L-svg-side',
      name: 'Longest side of an SVG at its `density`, in pixels',
      value: count(drawnSide),
      beyond: 'The task fails with `limit_exceeded`. Lower `density`, or change `width` and `height` in the drawing.',
      tests: threeSteps(decoders, 'pixels a side of a drawing, 32,767'),
      real: 'drawingSide',
    },
    {
      id: 'L-svg-depth',
      name: 'Levels of elements inside one another in an SVG',
      value: count(svgDepth),
      beyond: 'The task fails with `limit_exceeded`. Ungroup elements in the drawing program.',
      tests: threeSteps(pictures, 'elements of a drawing in one another, 256'),
      real: 'drawingDepth',
    },
    {
      id: 'L-svg-entities',
      name: `Text that the entities of an SVG stand for, plus ${referenceBytes} bytes for each reference`,
      value: bytes(svgBytes),
      beyond:
        'The task fails with `limit_exceeded`. Save the drawing without entities. Entities of other files or hosts are always left out.',
      tests: threeSteps(pictures, 'bytes that entities of a drawing stand for, 32 MiB'),
      real: 'drawingEntityBytes',
    },
    {
      id: 'L-image-pdf',
      name: 'Images for one PDF, all together',
      value: bytes(pdfInputBytes),
      beyond: 'The task fails with `limit_exceeded`. Compress the images first, or make several PDFs and merge them.',
      tests: threeSteps(decoders, 'bytes of images for one PDF, 256 MiB'),
      real: 'pdfImageBytes',
    },
    {
      id: 'L-image-pdf',
      name: 'Pages of a PDF made of images',
      value: count(pdfPages),
      beyond: 'The task fails with `limit_exceeded`. Make several PDFs.',
      tests: threeSteps('packages/engines/src/vips/pdf.test.ts', 'pages of a PDF made of images, 10,000'),
      real: unmeasured.request,
    },
  ],
}
