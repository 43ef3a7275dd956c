import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { environment } from './environment.ts'

/** The URL of a service and the key to use there. */
export interface Profile {
  readonly url: string
  readonly key: string
}

type Profiles = Readonly<Record<string, Profile>>

export const defaultProfile = 'default'

/** Readable only by its owner, because it contains keys. */
export function profilesFile(): string {
  return join(environment.configFolder, 'profiles.json')
}

export async function readProfiles(): Promise<Profiles> {
  try {
    return JSON.parse(await readFile(profilesFile(), 'utf8')) as Profiles
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

export async function keepProfile(name: string, profile: Profile): Promise<string> {
  const file = profilesFile()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ ...(await readProfiles()), [name]: profile }, null, 2)}\n`
  // Written to a temporary name first: no program reads an incomplete file, or reads it before its mode is set.
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, text, { mode: 0o600 })
  await chmod(fresh, 0o600)
  await rename(fresh, file)
  return file
}
