import type { AuditException } from './judge-audit.ts'

/** Advisories of severity high or critical that we have looked at, each with why it does not concern us. */
export const exceptions: readonly AuditException[] = []
