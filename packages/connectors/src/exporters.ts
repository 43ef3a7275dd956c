import type { Operation } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import type { Exporter } from './exporter.ts'

/** All exporters there are, by operation. */
export function createExporters(_parts: { readonly outbound: Outbound }): ReadonlyMap<Operation, Exporter> {
  const exporters: readonly Exporter[] = []
  return new Map(exporters.map((exporter) => [exporter.operation, exporter]))
}
