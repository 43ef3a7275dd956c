import { booleanOption } from '../option-descriptor.ts'
import { paperOptions } from '../printing/options.ts'

/** Around a printed message, in millimetres. */
export const mailMargin = 15

const attachments = booleanOption(
  {
    name: 'attachments',
    label: 'Attachments',
    hint: 'Add the attachments of the message to the result as separate files.',
  },
  false,
)

/** What each output takes. */
export const optionsByOutput = {
  pdf: [...paperOptions({ margin: mailMargin }), attachments],
  html: [attachments],
  txt: [attachments],
}
