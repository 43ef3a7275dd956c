/** The fixed keys of advisory locks, in one place: two uses of one key would wait for each other. */
export const advisoryLocks = {
  /** Held while migrations run, or a backup is restored. */
  migrations: 7_264_301,
  /** Held by the scheduler that leads, for as long as it does. */
  leader: 7_264_302,
  /** Held until its transaction ends by who adds a login, or changes who administers the instance. */
  logins: 7_264_303,
  /** Held until its transaction ends by who measures the rates of pairs. */
  pairRates: 7_264_304,
} as const
