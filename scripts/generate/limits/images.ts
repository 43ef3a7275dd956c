import { dicomLimits } from '../../../packages/engines/src/dicom/limits.ts'
import { optimizeLimits } from '../../../packages/engines/src/optimize/limits.ts'
import { longestSides, pillowSeconds } from '../../../packages/engines/src/pictures/decoder-limits.ts'
import { pictureLimits } from '../../../packages/engines/src/pictures/limits.ts'
import { packedDrawingLimits } from '../../../packages/formats/src/index.ts'
import { bytes, count, type Limit, type LimitGroup, seconds, unmeasured } from './limit.ts'
import { drawnSide, longestSide, referenceBytes } from './runner-numbers.ts'

const { pixels, frames, animationPixels, splitPages, svgBytes, svgDepth, pdfPages, pdfInputBytes } = pictureLimits

const sides: readonly Limit[] = (['jpg', 'webp', 'avif', 'gif'] as const).map((format) => ({
  id: 'L-format-side',
  name: `Longest side of a result in ${format}, in pixels`,
  value: count(longestSide[format]),
  beyond: 'The task fails with `limit_exceeded`: the format holds no more. Choose another format or a smaller size.',
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
    real: noneOptimized,
  },
  {
    id: 'L-optimize-frames',
    name: 'Pixels of all frames of an optimized animation together',
    value: count(optimizeLimits.optimizedFramesPixels),
    beyond: 'The task fails with `limit_exceeded`. Trim the animation, or convert it to a video.',
    real: noneOptimized,
  },
  {
    id: 'L-optimize-avif',
    name: 'Pixels of an optimized image up to which AVIF is tried',
    value: count(optimizeLimits.avifPixels),
    beyond: 'The other formats are tried. If only AVIF is allowed, the task fails with `limit_exceeded`.',
    real: noneOptimized,
  },
  {
    id: 'L-optimize-time',
    name: 'Time after which an optimized image that is good enough is not improved',
    value: seconds(optimizeLimits.searchMs / 1000),
    beyond: 'The smallest result so far is used.',
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
      real: 'imagePixels',
    },
    {
      id: 'L-frames',
      name: 'Frames of an animation, pages of a TIFF',
      value: count(frames),
      beyond: 'The task fails with `limit_exceeded`. Split the file, or convert an animation as a video.',
      real: 'imageFrames',
    },
    {
      id: 'L-tiff-split',
      name: 'Pages of a TIFF that is split',
      value: count(splitPages),
      beyond: 'The task fails with `limit_exceeded`.',
      real: 'imageFrames',
    },
    {
      id: 'L-area',
      name: 'Pixels of all frames or pages together',
      value: count(animationPixels),
      beyond: 'The task fails with `limit_exceeded`. Scale the animation down or split it.',
      real: 'imageFramesPixels',
    },
    {
      id: 'L-image-side',
      name: 'Longest side of an image that ImageMagick reads, in pixels',
      value: count(longestSides.any),
      beyond:
        'Pillow reads the image, if it knows the format. Otherwise the task fails with `limit_exceeded`: cut the image into parts.',
      real: 'imageSide',
    },
    {
      id: 'L-icon-side',
      name: 'Longest side of an icon or cursor that ImageMagick reads, in pixels',
      value: count(longestSides.icon),
      beyond: 'Pillow reads the icon instead.',
      real: 'iconSide',
    },
    {
      id: 'L-fits-side',
      name: 'Longest side of a FITS image that ImageMagick reads, in pixels',
      value: count(longestSides.fits),
      beyond: 'Pillow reads the image instead.',
      real: 'fitsSide',
    },
    {
      id: 'L-pillow-time',
      name: 'Time for Pillow to read an image',
      value: seconds(pillowSeconds),
      beyond: 'The task fails with `input_damaged`: only damaged files take that long. Save the image again.',
      real: unmeasured.time,
    },
    ...sides,
    ...optimized,
    {
      id: 'L-dicom-frames',
      name: 'Frames of a DICOM file that become images',
      value: count(dicomLimits.frames),
      beyond: 'The task fails with `limit_exceeded`. Choose one with `frame`.',
      real: { reason: 'No file of the corpus is one.' },
    },
    {
      id: 'L-dicom-pixels',
      name: 'Pixels of a DICOM image',
      value: count(dicomLimits.pixels),
      beyond: 'The task fails with `limit_exceeded`. Save it smaller with the software that made it.',
      real: { reason: 'No file of the corpus is one.' },
    },
    {
      id: 'L-svg-bytes',
      name: 'Size of an SVG, unpacked',
      value: bytes(svgBytes),
      beyond: 'The task fails with `limit_exceeded`. Simplify the drawing, or embed fewer images.',
      real: 'drawingBytes',
    },
    {
      id: 'L-packed-drawing',
      name: 'Size of an svgz, emz or wmz, unpacked',
      value: bytes(packedDrawingLimits.bytes),
      beyond: 'The task fails with `limit_exceeded`. Simplify the drawing, or embed fewer images.',
      real: { reason: 'The collections have no such file.' },
    },
    {
      id: 'L-packed-drawing',
      name: `Unpacked bytes of an svgz, emz or wmz for each packed one, from ${bytes(packedDrawingLimits.ratioAfterBytes).text} on`,
      value: count(packedDrawingLimits.ratio),
      beyond: 'The task fails with `limit_exceeded`. Import the drawing unpacked.',
      real: { reason: 'The collections have no such file.' },
    },
    {
      id: 'L-svg-side',
      name: 'Longest side of an SVG at its `density`, in pixels',
      value: count(drawnSide),
      beyond: 'The task fails with `limit_exceeded`. Lower `density`, or change `width` and `height` in the drawing.',
      real: 'drawingSide',
    },
    {
      id: 'L-svg-depth',
      name: 'Levels of elements inside one another in an SVG',
      value: count(svgDepth),
      beyond: 'The task fails with `limit_exceeded`. Ungroup elements in the drawing program.',
      real: 'drawingDepth',
    },
    {
      id: 'L-svg-entities',
      name: `Text that the entities of an SVG stand for, plus ${referenceBytes} bytes for each reference`,
      value: bytes(svgBytes),
      beyond:
        'The task fails with `limit_exceeded`. Save the drawing without entities. Entities of other files or hosts are always left out.',
      real: 'drawingEntityBytes',
    },
    {
      id: 'L-image-pdf',
      name: 'Images for one PDF, all together',
      value: bytes(pdfInputBytes),
      beyond: 'The task fails with `limit_exceeded`. Compress the images first, or make several PDFs and merge them.',
      real: 'pdfImageBytes',
    },
    {
      id: 'L-image-pdf',
      name: 'Pages of a PDF made of images',
      value: count(pdfPages),
      beyond: 'The task fails with `limit_exceeded`. Make several PDFs.',
      real: unmeasured.request,
    },
  ],
}
