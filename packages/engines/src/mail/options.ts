import { printOptions } from '../browser/options.ts'
import { booleanOption, numberOption, type OptionDescriptor } from '../option-descriptor.ts'

const sheets = printOptions.filter(({ name }) => ['paper_size', 'orientation'].includes(name))

const margin = numberOption(
  { name: 'margin', label: 'Margin', hint: 'Empty space on all four sides of each page.', units: 'mm' },
  { min: 0, max: 50, byDefault: 15 },
)

const attachments = booleanOption(
  {
    name: 'attachments',
    label: 'Attachments',
    hint: 'Adds the files attached to the message to the result, each under its own name.',
  },
  false,
)

/** What each output takes. */
export const optionsByOutput: Readonly<Record<'pdf' | 'html' | 'txt', readonly OptionDescriptor[]>> = {
  pdf: [...sheets, margin, attachments],
  html: [attachments],
  txt: [attachments],
}
