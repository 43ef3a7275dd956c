/** A Prometheus query and the legend of its series. */
export interface Query {
  readonly expr: string
  readonly legend?: string
}

export type Unit = 'short' | 's' | 'percentunit' | 'reqps' | 'bytes' | 'dateTimeFromNow'

export interface Panel {
  readonly title: string
  /** What a rise or fall means. */
  readonly about: string
  readonly unit: Unit
  readonly queries: readonly Query[]
}

/** A dashboard as data: rows of two panels. */
export interface Board {
  /** Part of its file name and its URL. */
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
