import { type Connector, defineImporter } from '../connector.ts'
import { chooseFilename } from '../filename.ts'

/** A file inside the request. */
export const base64: Connector = () => ({ importers: [base64Importer] })

/** Saves the file from the request. Its bytes were decoded and staged when the task was created. */
export const base64Importer = defineImporter({
  operation: 'import/base64',

  async run({ filename }, context) {
    await context.save(chooseFilename(filename), await context.openStaged())
    return undefined
  },
})
