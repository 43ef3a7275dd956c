import { RequestError } from '@lathe/sdk'
import { messageOf } from '../../api/errors.ts'
import { queries } from '../../app/queries.ts'
import { isSamePreset, largestFileBytes, parsePresetFile } from '../../presets/preset-file.ts'
import { createPreset, presetsQuery, refreshPresets } from '../../presets/queries.ts'

/** The outcome of importing a file. */
export interface ImportOutcome {
  readonly imported: number
  /** How many are equal to an existing preset: a file may be imported twice. */
  readonly known: number
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}

/** Creates the presets of a file one by one: a refused preset does not stop the others. */
export async function importPresets(file: File): Promise<ImportOutcome | 'wrong'> {
  const presets = file.size > largestFileBytes ? undefined : parsePresetFile(await file.text())
  if (!presets) return 'wrong'
  const here = await queries.fetchQuery({ ...presetsQuery, staleTime: 0 })
  const added = presets.filter((preset) => !here.some((one) => isSamePreset(one, preset)))
  const refused: { name: string; reason: string }[] = []
  for (const preset of added) {
    try {
      await createPreset(preset)
    } catch (cause) {
      const fields = cause instanceof RequestError ? cause.errors : []
      const faults = fields.map(({ path, msg }) => `${path} ${msg}`).join(' ')
      refused.push({ name: preset.name, reason: faults || messageOf(cause) })
    }
  }
  await refreshPresets()
  return { imported: added.length - refused.length, known: presets.length - added.length, refused }
}
