import { booleanOption, integerOption, passwordOption, textOption } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'

// Names in an archive cannot point outside it, so this pattern only keeps the option readable.
const patterns = {
  pattern: /^(?![-/])(?!.*(?:\.\.|\(\/))[\p{L}\p{M}\p{N} ._*?,/+&()-]+$/u,
  maxLength: 500,
  expects: 'file names with * and ?, separated by commas, such as *.jpg,docs/*',
}

const common = [
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

/** The options for extracting an archive, by input format. */
export function extractOptions(from: string) {
  return from === 'zip' ? ofZip : common
}

const ofZip = [...common, password]

const packing = [
  integerOption(
    { name: 'level', label: 'Compression level', hint: '1 is fastest, 9 makes the smallest archive.' },
    { min: 1, max: 9, byDefault: 6 },
  ),
  booleanOption(
    {
      name: 'folders',
      label: 'Keep folders',
      hint: 'Restore the folders of files that were extracted from an archive.',
    },
    true,
  ),
]
const packingUncompressed = packing.filter(({ name }) => name !== 'level')
const packingZip = [
  ...packing,
  passwordOption({
    name: 'password',
    label: 'Password',
    hint: 'Encrypts the files of the archive (AES-256). Names of files stay visible.',
  }),
]

/** The options for creating an archive, by output format. */
export function archiveOptions(to: string) {
  if (to === 'tar') return packingUncompressed
  return to === 'zip' ? packingZip : packing
}
