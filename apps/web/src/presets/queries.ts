import type { Page, Preset } from '@lathe/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, send } from '../api/client.ts'
import { queries } from '../app/queries.ts'

const path = '/v1/presets'

/** The content of a preset. */
export type PresetContent = Pick<Preset, 'name' | 'operation' | 'output_format' | 'options' | 'personal'>

/** All presets that the user can see, by name: an owner has no more than fit on one page. */
export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: async ({ signal }) => {
    const { docs } = await call<Page<Preset>>(`${path}?per_page=200`, { signal })
    return docs.toSorted((a, b) => a.name.localeCompare(b.name))
  },
})

export const refreshPresets = () => queries.invalidateQueries({ queryKey: presetsQuery.queryKey })

/** Creates a preset. Does not reload the list, because several may be created in a row. */
export async function createPreset({ output_format, ...rest }: PresetContent): Promise<Preset> {
  const json = { ...rest, ...(output_format !== null && { output_format }) }
  return call<Preset>(path, { method: 'POST', json })
}

export async function updatePreset(id: string, change: Partial<PresetContent>): Promise<void> {
  await call<Preset>(`${path}/${id}`, { method: 'PATCH', json: change })
  await refreshPresets()
}

export async function deletePreset(id: string): Promise<void> {
  await send(`${path}/${id}`, { method: 'DELETE' })
  await refreshPresets()
}
