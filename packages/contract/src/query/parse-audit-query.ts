import { type AuditAction, auditActions, type ObjectId } from '@lathe/domain'
import { parseId } from './parse-list-query.ts'
import { enumValue, type Paging, parsePaging, type RawQuery, singleValue, timeValue } from './raw-query.ts'

/** Which entries of the audit log are asked for. */
export interface AuditQuery extends Paging {
  readonly action?: AuditAction
  readonly userId?: ObjectId
  readonly from?: Date
  readonly to?: Date
}

/** Reads the query of the audit log: all of it, newest first, unless it says otherwise. */
export function parseAuditQuery(raw: RawQuery): AuditQuery {
  const action = enumValue(raw, 'action', auditActions)
  const user = singleValue(raw, 'user')
  const [from, to] = [timeValue(raw, 'from'), timeValue(raw, 'to')]
  return {
    ...parsePaging(raw),
    ...(action !== undefined && { action }),
    ...(user !== undefined && { userId: parseId(user, 'user') }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}
