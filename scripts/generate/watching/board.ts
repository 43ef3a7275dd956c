/** A question to Prometheus, and how its answers are named. */
export interface Query {
  readonly expr: string
  readonly legend?: string
}

export type Unit = 'short' | 's' | 'percentunit' | 'reqps' | 'bytes' | 'dateTimeFromNow'

export interface Panel {
  readonly title: string
  /** What it means when it rises or falls. */
  readonly about: string
  readonly unit: Unit
  readonly queries: readonly Query[]
}

/** A dashboard as data: rows of panels, two next to each other. */
export interface Board {
  /** Names its file and its address. */
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

export const panel = (title: string, unit: Unit, about: string, ...queries: readonly Query[]): Panel => ({
  title,
  unit,
  about,
  queries,
})

export const query = (expr: string, legend?: string): Query => ({ expr, ...(legend !== undefined && { legend }) })
