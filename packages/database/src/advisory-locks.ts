/** The fixed keys of advisory locks, in one place: two uses of one key would wait for each other. */
export const advisoryLocks = {
  /** Held while migrations run, or a backup is restored. */
  migrations: 7_264_301,
  /** Held by the leading scheduler of a release before migration 0075, for as long as it leads. */
  leader: 7_264_302,
  /** Held until its transaction ends by a transaction that adds a login or changes the administrators. */
  logins: 7_264_303,
  /** Held until its transaction ends by a transaction that measures the rates of pairs. */
  pairRates: 7_264_304,
  /** Held, shared, by each transaction of the leader; alone by one that begins the next term. */
  term: 7_264_305,
} as const
