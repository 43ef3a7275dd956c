import { Lathe } from '@lathe/sdk'
import { environment } from './environment.ts'
import { UsageError } from './exit-codes.ts'
import { defaultProfile, type Profile, readProfiles } from './profiles.ts'

/** The flags for the connection to the service. */
export interface ConnectFlags {
  readonly url?: string
  /** True if the flag has no value. */
  readonly key?: string | true
  readonly profile?: string
}

/** Flags take precedence over the environment, and that over what `lathe login` stored. */
export async function findProfile({ url, key, profile }: ConnectFlags): Promise<Partial<Profile>> {
  if (key === true) throw new UsageError('--key needs a value, except for: lathe login --key')
  const kept = await readProfiles()
  const name = profile ?? environment.profile ?? defaultProfile
  const own = kept[name]
  if (profile !== undefined && !own) {
    const names = Object.keys(kept).join(', ') || 'none'
    throw new UsageError(
      `There is no profile ${profile}. There are: ${names}. Add it with: lathe login --profile ${profile}`,
    )
  }
  const fromEnv = profile === undefined
  const foundUrl = url ?? (fromEnv ? environment.url : undefined) ?? own?.url
  const foundKey = key ?? (fromEnv ? environment.key : undefined) ?? own?.key
  return { ...(foundUrl && { url: foundUrl }), ...(foundKey && { key: foundKey }) }
}

export async function connect(flags: ConnectFlags): Promise<Lathe> {
  const { url, key } = await findProfile(flags)
  if (!url) throw new UsageError('Which Lathe? Give --url, set LATHE_URL, or run: lathe login')
  if (!URL.canParse(url)) throw new UsageError(`${url} is not a URL. It looks like https://lathe.example.com`)
  return new Lathe({ baseUrl: url, retries: 4, ...(key && { key }) })
}
