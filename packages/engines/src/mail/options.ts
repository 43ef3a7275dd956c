import { booleanOption } from '../option-descriptor.ts'
import { paperOptions } from '../printing/options.ts'

/** Around a printed message, in millimetres. */
export const mailMargin = 15

const attachments = booleanOption(
  {
    name: 'attachments',
    label: 'Attachments',
    hint: 'Adds the files attached to the message to the result, each under its own name.',
  },
  false,
)

/** What each output takes. */
export const optionsByOutput = {
  pdf: [...paperOptions({ margin: mailMargin }), attachments],
  html: [attachments],
  txt: [attachments],
}
