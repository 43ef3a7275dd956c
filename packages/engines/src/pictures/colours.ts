import { type OptionDescriptor, textOption } from '../option-descriptor.ts'

/** Named colors: the sixteen of HTML. */
const names = [
  ...['white', 'black', 'silver', 'gray', 'red', 'maroon', 'yellow', 'olive'],
  ...['lime', 'green', 'aqua', 'teal', 'blue', 'navy', 'fuchsia', 'purple'],
]

/** Describes an option that takes a color by name or by numbers, or one of the additional words in `also`. */
export function colourOption<const Name extends string>(
  about: { name: Name; label: string; hint: string },
  { byDefault, also = [] }: { byDefault: string; also?: readonly string[] },
): OptionDescriptor<Name, string> {
  const words = [...names, ...also]
  const hint = `${about.hint} A colour as #rrggbb, or one of: ${words.join(', ')}.`
  const pattern = new RegExp(`^(?:#[0-9a-fA-F]{6}|${words.join('|')})$`)
  return textOption(
    { ...about, hint },
    { pattern, maxLength: 16, byDefault, expects: `a colour as #rrggbb, or one of: ${words.join(', ')}` },
  )
}
