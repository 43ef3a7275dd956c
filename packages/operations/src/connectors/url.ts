import { Type } from 'typebox'
import { defineExport, defineImport } from '../define.ts'
import { filename, folder, webAddress } from '../fields.ts'
import { requestLimits } from '../request-limits.ts'

const { Optional } = Type

export const importUrl = defineImport({
  name: 'import/url',
  summary: 'Import a file from a URL',
  description: 'Fetches a file over http or https.',
  fields: { url: webAddress('http or https URL of the file.'), filename: Optional(filename) },
})

export const exportUrl = defineExport({
  name: 'export/url',
  summary: 'Export to a download URL',
  description: 'Creates signed links that work for 4 hours.',
  keepsFiles: true,
  fields: {
    filename: Optional(filename),
    archive_multiple_files: Optional(
      Type.Boolean({
        description:
          'true or false. false: `result.files` has a link for each file. true: one ZIP of all files, even of one.',
        default: false,
      }),
    ),
    folders: Optional(
      Type.Array(folder, {
        minItems: 1,
        maxItems: requestLimits.inputsPerTask,
        description:
          'The folder of the files of each input in the ZIP, in the order of `input`; an empty text for the top. A folder such as `album/day 1`: relative, without `.`, `..`, backslashes or control characters.',
      }),
    ),
  },
  check({ input, folders }) {
    const inputs = Array.isArray(input) ? input.length : 1
    if (!Array.isArray(folders) || folders.length === inputs) return []
    return [{ path: 'folders', msg: `must have as many entries as \`input\`: ${inputs}. It has ${folders.length}.` }]
  },
})
