/** A wrong command line, or a problem that only the operator can fix. */
export class AdminError extends Error {}
