/**
 * An id with PostgreSQL's second instead of that of the process that made it, as SQL: the second decides the partition
 * of what is derived from the id, and the clock of the process may be wrong.
 */
export const idNow = (id: string) => `substr(int8send(extract(epoch from now())::bigint), 5) || substr(${id}, 5)`
