import { integerOption, textOption } from '../option-descriptor.ts'
import { background, density } from '../pictures/picture-options.ts'
import { strict } from '../strict-option.ts'

/** The formats of results. */
export const webFormats = ['avif', 'webp', 'jpg', 'png'] as const
export type WebFormat = (typeof webFormats)[number]

/** The scores of the named levels. */
const levels: Readonly<Record<string, number>> = { identical: 100, high: 99.5, good: 98, small: 96 }

const similarity = textOption(
  {
    name: 'similarity',
    label: 'Similarity',
    hint: 'How much the result must look like the input: identical (no pixel differs), high (99.5), good (98), small (96), or a score from 50 to 100. The score is the structural similarity (SSIM) at several scales. Photos as JPEG reach 99.5 at quality 90 to 95, 98 at 55 to 85 and 96 at 30 to 65.',
  },
  {
    pattern: /^(?:identical|high|good|small|100|[5-9]\d(?:\.\d{1,2})?)$/,
    maxLength: 9,
    byDefault: 'good',
    expects: 'identical, high, good, small, or a number from 50 to 100',
  },
)

const formats = textOption(
  {
    name: 'formats',
    label: 'Formats',
    hint: 'Formats that the result may have, such as webp,jpg,png for readers without AVIF. The smallest is chosen.',
  },
  {
    pattern: /^(?:avif|webp|jpe?g|png)(?:,(?:avif|webp|jpe?g|png)){0,7}$/,
    maxLength: 40,
    byDefault: webFormats.join(),
    expects: `a list of formats without spaces, of: ${webFormats.join(', ')}`,
  },
)

function side(name: 'width' | 'height') {
  const label = name === 'width' ? 'Width' : 'Height'
  const hint = `Largest ${name} of the result. The image keeps its proportions and is never enlarged.`
  return integerOption({ name, label, hint, units: 'px' }, { min: 1, max: 16_383 })
}

const options = [similarity, formats, side('width'), side('height'), background, strict]
const drawingOptions = [...options, density]

/** The options for optimizing an image of this format. */
export function optionsFor(format: string) {
  return format === 'svg' ? drawingOptions : options
}

/** The score that a result must reach. */
export function readSimilarity(value: string = similarity.default_value): number {
  return levels[value] ?? Number(value)
}

/** The formats that a result may have. */
export function readFormats(value: string = formats.default_value): readonly WebFormat[] {
  const named = value.replaceAll('jpeg', 'jpg').split(',')
  return webFormats.filter((format) => named.includes(format))
}
