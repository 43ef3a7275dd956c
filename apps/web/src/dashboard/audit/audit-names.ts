import type { AuditName } from '@lathe/contract'

/** A name with the email address, if it is known. */
export function labelOf({ name, email }: Pick<AuditName, 'name' | 'email'>): string {
  return email === null ? name : `${name} (${email})`
}
