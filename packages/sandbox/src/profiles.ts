import { plainProfile, type ToolProfile, tools } from '@lathe/engines'

/** What one tool can see and use, with the name by which steps refer to it. */
export type EngineProfile = ToolProfile & { readonly name: string }

/** All profiles: that of a plain program, and one per tool. */
export const profiles: readonly EngineProfile[] = [
  { ...plainProfile, name: 'plain' },
  ...tools.map(({ name, profile }) => ({ ...profile, name })),
]

const byName = new Map(profiles.map((profile) => [profile.name, profile]))

/** The profile of that name. Throws if there is none, so that nothing runs without a profile. */
export function profileOf(name: string): EngineProfile {
  const profile = byName.get(name)
  if (!profile) throw new Error(`there is no sandbox profile ${name}`)
  return profile
}
