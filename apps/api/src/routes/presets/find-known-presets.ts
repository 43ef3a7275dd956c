import type { KnownPresets } from '@lathe/contract'
import { findPresets, type PresetReader } from '@lathe/database'
import type { Services } from '../../services.ts'

/** Loads the presets that a body names; runs no query if it names none. */
export async function findKnownPresets(
  { database }: Pick<Services, 'database'>,
  { ownerId, userId }: PresetReader,
  ids: readonly string[],
): Promise<KnownPresets> {
  if (ids.length === 0) return new Map()
  const found = await findPresets(database.pool, { ownerId, userId, ids })
  return new Map(found.map((preset) => [preset.id, preset]))
}
