import type { Database } from '@lathe/database'
import type { OutboundDoors } from '@lathe/outbound'
import type { ConnectorsConfig } from './config.ts'

/** What connectors are made of. */
export interface ConnectorParts {
  /** Each connector goes through the door of its own. */
  readonly outbound: Pick<OutboundDoors, 'for'>
  readonly database: Pick<Database, 'pool'>
  readonly config: ConnectorsConfig
}
