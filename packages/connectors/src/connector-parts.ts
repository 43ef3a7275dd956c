import type { Database } from '@lathe/database'
import type { Outbound } from '@lathe/outbound'
import type { ConnectorsConfig } from './config.ts'

/** What connectors are made of. */
export interface ConnectorParts {
  readonly outbound: Outbound
  readonly database: Pick<Database, 'pool'>
  readonly config: ConnectorsConfig
}
