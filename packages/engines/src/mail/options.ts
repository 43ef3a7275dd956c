import { booleanOption } from '../option-descriptor.ts'
import { paperOptions } from '../printing/options.ts'

/** Margin of a printed message, in millimeters. */
export const mailMargin = 15

const attachments = booleanOption(
  {
    name: 'attachments',
    label: 'Attachments',
    hint: 'Add the attachments of the message to the result as separate files.',
  },
  false,
)

/** The options for each output format. */
export const optionsByOutput = {
  pdf: [...paperOptions({ margin: mailMargin }), attachments],
  html: [attachments],
  txt: [attachments],
}
