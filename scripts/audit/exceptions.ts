import type { AuditException } from './judge-audit.ts'

/** Advisories of severity high or critical that were reviewed, each with the reason why it does not affect us. */
export const exceptions: readonly AuditException[] = []
