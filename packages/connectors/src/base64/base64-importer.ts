import { chooseFilename } from '../filename.ts'
import type { Importer } from '../importer.ts'

/** Keeps the file that came inside the request. Its bytes were decoded and staged when the task was made. */
export const base64Importer: Importer = {
  operation: 'import/base64',

  async run({ filename }, context) {
    await context.save(chooseFilename(filename), await context.openStaged())
    return undefined
  },
}
