import { integerOption } from '../option-descriptor.ts'
import { password } from '../pages/options.ts'
import { strict } from '../strict-option.ts'

const tolerance = integerOption(
  {
    name: 'tolerance',
    label: 'Tolerance',
    hint: 'How far the colors of two pixels may be apart to count as equal, in steps of 0 to 255.',
  },
  { min: 0, max: 255, byDefault: 16 },
)

/** The options for comparing images. */
export const imageOptions = [tolerance, strict]

/** The options for comparing PDF files. */
export const pdfOptions = [
  tolerance,
  { ...password, hint: 'Password of encrypted PDF files; both must have the same.' },
  strict,
]
