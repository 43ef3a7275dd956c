import { booleanOption } from './option-descriptor.ts'

/** Refuses damaged input. Without it, engines convert what they can read and add a warning. */
export const strict = booleanOption(
  {
    name: 'strict',
    label: 'Strict',
    hint: 'Refuse damaged or incomplete input instead of converting what can be read.',
  },
  false,
)
