import { enumOption, integerOption, needs } from '../option-descriptor.ts'

const reducing = [
  { value: 'medium', hint: 'Smaller' },
  { value: 'high', hint: 'Much smaller' },
  { value: 'extreme', hint: 'As small as possible' },
]

/** Resolution and quality do not apply to a lossless result. */
const unlessLossless = { ...needs('level', reducing), required: false }

/** The options for compressing a document with images. */
export const compressOptions = [
  enumOption(
    { name: 'level', label: 'Level', hint: 'How much quality images in the document may lose.' },
    {
      low: 'Lossless: repack the file only',
      medium: 'Little: 150 dpi, JPEG images at quality 75, PNG images without loss',
      high: 'Some: 110 dpi, JPEG images at quality 60, PNG images with 256 colors',
      extreme: 'Visible: 72 dpi, JPEG images at quality 40, PNG images with 256 colors',
    },
    'medium',
  ),
  integerOption(
    {
      name: 'dpi',
      label: 'Resolution',
      hint: 'Resolution of images at the size they are shown. Finer images are scaled down. The default depends on level.',
      units: 'dpi',
      conditions: [unlessLossless],
    },
    { min: 18, max: 1200 },
  ),
  integerOption(
    {
      name: 'quality',
      label: 'Quality',
      hint: 'JPEG quality of images in the document (1-100). Higher looks better and makes the file larger. The default depends on level.',
      conditions: [unlessLossless],
    },
    { min: 1, max: 100 },
  ),
]
