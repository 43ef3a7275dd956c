import { plainProfile, type ToolProfile, tools } from '@lathe/engines'

/** What one tool sees and may use, with the name that steps know it by. */
export type EngineProfile = ToolProfile & { readonly name: string }

/** Every profile there is: that of a plain program, and one a tool. */
export const profiles: readonly EngineProfile[] = [
  { ...plainProfile, name: 'plain' },
  ...tools.map(({ name, profile }) => ({ ...profile, name })),
]

const byName = new Map(profiles.map((profile) => [profile.name, profile]))

/** The profile of that name; throws where there is none, so that nothing runs without one. */
export function profileOf(name: string): EngineProfile {
  const profile = byName.get(name)
  if (!profile) throw new Error(`there is no sandbox profile ${name}`)
  return profile
}
