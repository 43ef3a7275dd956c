import { type Static, Type } from 'typebox'
import { blobstoreSettings } from './blobstore/settings.ts'
import { objstoreBSettings } from './objstore-b/settings.ts'

/** What operators choose for connectors, and users do not. */
export const connectorsEnv = Type.Object({ ...objstoreBSettings, ...blobstoreSettings })

export type ConnectorsConfig = Static<typeof connectorsEnv>

/** Of all that a process reads from its environment, what is for connectors. */
export function connectorsConfig({
  OBJSTORE_B_ENDPOINT,
  OBJSTORE_B_TOKEN_URL,
  BLOBSTORE_ENDPOINT,
}: ConnectorsConfig): ConnectorsConfig {
  return { OBJSTORE_B_ENDPOINT, OBJSTORE_B_TOKEN_URL, BLOBSTORE_ENDPOINT }
}
