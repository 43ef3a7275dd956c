export { type Accounts, type AccountsParts, type CreatedKey, createAccounts, type KeyHolder } from './accounts.ts'
export { formatKey, isKey } from './key-format.ts'
export { isScope, type Scope, scopes } from './scopes.ts'
