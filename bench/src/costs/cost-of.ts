/** Prices, and assumptions about conversions. See prices.json. */
export interface Prices {
  readonly vcpuHour: number
  readonly vcpuHourSpot: number
  readonly putsPerMillion: number
  readonly getsPerMillion: number
  readonly egressPerGb: number
  /** Share of the time for which paid machines are busy, by kind. */
  readonly busy: Readonly<Record<string, number>>
  /** Size of a result that is downloaded once, by kind. */
  readonly outputMb: Readonly<Record<string, number>>
  /** Requests to the object store per conversion. */
  readonly puts: number
  readonly gets: number
}

/** Dollars per million conversions, by purpose. */
export interface Cost {
  readonly compute: number
  readonly computeSpot: number
  readonly requests: number
  readonly egress: number
  /** With machines at list price. */
  readonly sum: number
}

/** The cost of a million conversions of a kind, each of which takes `cpuS` seconds of CPU time. */
export function costOf(kind: string, cpuS: number, prices: Prices): Cost {
  const busy = prices.busy[kind]
  const outputMb = prices.outputMb[kind]
  if (busy === undefined || outputMb === undefined) throw new Error(`prices.json says nothing of ${kind}`)
  const hours = (cpuS * 1e6) / busy / 3600
  const compute = hours * prices.vcpuHour
  const requests = prices.puts * prices.putsPerMillion + prices.gets * prices.getsPerMillion
  const egress = ((outputMb * 1e6) / 1e3) * prices.egressPerGb
  return { compute, computeSpot: hours * prices.vcpuHourSpot, requests, egress, sum: compute + requests + egress }
}
