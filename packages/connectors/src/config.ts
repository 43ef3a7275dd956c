import { type Static, Type } from 'typebox'
import { blobstoreSettings } from './blobstore/settings.ts'
import { objstoreBSettings } from './objstore-b/settings.ts'

/** The connector settings of operators. */
export const connectorsEnv = Type.Object({ ...objstoreBSettings, ...blobstoreSettings })

export type ConnectorsConfig = Static<typeof connectorsEnv>

/** Selects the connector settings from the environment of a process. */
export function connectorsConfig({
  OBJSTORE_B_ENDPOINT,
  OBJSTORE_B_TOKEN_URL,
  BLOBSTORE_ENDPOINT,
}: ConnectorsConfig): ConnectorsConfig {
  return { OBJSTORE_B_ENDPOINT, OBJSTORE_B_TOKEN_URL, BLOBSTORE_ENDPOINT }
}
