import { booleanOption, type OptionDescriptor, passwordOption, textOption } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'

// No name in an archive can lead out of it, so this only keeps patterns readable.
const patterns = {
  pattern: /^(?![-/])(?!.*(?:\.\.|\(\/))[\p{L}\p{M}\p{N} ._*?,/+&()-]+$/u,
  maxLength: 500,
  expects: 'file names with * and ?, separated by commas, such as *.jpg,docs/*',
}

const common: readonly OptionDescriptor[] = [
  textOption(
    {
      name: 'only',
      label: 'Files',
      hint: 'Files to extract, such as *.jpg,docs/*. A pattern without a slash matches names in all folders; case does not matter. Default: all files.',
    },
    patterns,
  ),
  booleanOption(
    {
      name: 'folders',
      label: 'Keep folders',
      hint: 'Keep the folders of the archive. They appear in the ZIP of all results.',
    },
    true,
  ),
  { ...strict, hint: 'Fail if any file of the archive is damaged, instead of extracting the others.' },
]

const password = passwordOption({
  name: 'password',
  label: 'Password',
  hint: 'Password of an encrypted archive.',
})

// A compressed file without an archive in it has neither names nor folders.
/** The options of extracting, by format. */
export function extractOptions(from: string): readonly OptionDescriptor[] {
  return from === 'zip' ? ofZip : common
}

const ofZip = [...common, password]
