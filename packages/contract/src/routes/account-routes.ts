import { Type } from 'typebox'
import { keyBody, keyChangeBody } from '../bodies/key-bodies.ts'
import { revokeKeyQuery, usageQuery } from '../query/queries.ts'
import { AccountView, ApiKeyListView, ApiKeyView, ApiKeyWithTextView } from '../schemas/account-view.ts'
import { ObjectIdParameter } from '../schemas/common.ts'
import { UsageView } from '../schemas/usage-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { tags: ['account'], scope: 'account.read' } as const
const write = { tags: ['account'], scope: 'account.write' } as const
const params = Type.Object({ keyId: ObjectIdParameter })
const keys = '/v1/account/keys'

/** The account of the calling key, its limits, and its keys. */
export const accountRoutes = {
  showAccount: {
    ...read,
    method: 'GET',
    path: '/v1/account',
    operationId: 'showAccount',
    summary: 'Show the account',
    description: 'The account of the API key: its plan, usage and limits.',
    responses: { 200: { description: 'The account.', schema: AccountView }, ...errorsFor(read) },
  },
  showUsage: {
    ...read,
    method: 'GET',
    path: '/v1/account/usage',
    operationId: 'showUsage',
    summary: 'Show usage',
    description:
      'Usage by the day (UTC) on which tasks ended. It is counted when a task ends and kept for two years, longer than the records of tasks.',
    query: usageQuery.schema,
    responses: { 200: { description: 'A page of usage.', schema: UsageView }, ...errorsFor(read) },
  },
  listKeys: {
    ...read,
    method: 'GET',
    path: keys,
    operationId: 'listKeys',
    summary: 'List API keys',
    description: 'All keys of the account, newest first; revoked ones stay in the list. No answer shows a key itself.',
    responses: { 200: { description: 'The keys.', schema: ApiKeyListView }, ...errorsFor(read) },
  },
  createKey: {
    ...write,
    method: 'POST',
    path: keys,
    operationId: 'createKey',
    summary: 'Create an API key',
    description:
      'Creates a key with at most the scopes and IP addresses of the key used for this request. The key is only shown in this response. Requires `account.write`, which keys do not have by default.',
    body: keyBody,
    responses: {
      201: { description: 'The key, with its text.', schema: ApiKeyWithTextView },
      ...errorsFor({ ...write, idempotent: true }),
    },
  },
  updateKey: {
    ...write,
    method: 'PATCH',
    path: `${keys}/{keyId}`,
    operationId: 'updateKey',
    summary: 'Change an API key',
    description:
      'Changes the name of a key, and the IP addresses from which it may be used. A changed list takes effect everywhere within 5 seconds. A key that is limited to IP addresses can only allow addresses of its own list, and a key can only change the list of keys that have no scopes beyond its own.',
    params,
    body: keyChangeBody,
    responses: { 200: { description: 'The key.', schema: ApiKeyView }, ...errorsFor({ ...write, single: true }) },
  },
  revokeKey: {
    ...write,
    method: 'DELETE',
    path: `${keys}/{keyId}`,
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description:
      'The key stops working everywhere within 5 seconds. Links and upload forms of the account stop working too, because the holder of the key may know them; `keep_links=true` keeps them valid.',
    params,
    query: revokeKeyQuery.schema,
    responses: { 200: { description: 'Revoked; the body is empty.' }, ...errorsFor({ ...write, single: true }) },
  },
} as const satisfies Record<string, Route>
