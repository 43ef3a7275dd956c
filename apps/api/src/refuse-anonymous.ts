import type { ParsedTask } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import { isProcessing } from '@lathe/operations'
import type { FastifyRequest } from 'fastify'
import { callerOf } from './route-config.ts'
import type { Services } from './services.ts'

const forEverybody = new Set(['import/upload', 'import/url', 'import/webpage', 'import/base64', 'export/url'])

/**
 * Refuses browsers without a sign-in what makes this service act on other hosts for strangers: storage of others, whose
 * passwords they could try, and addresses that would be posted to.
 */
export function refuseAnonymous(
  { auth }: Pick<Services, 'auth'>,
  request: FastifyRequest,
  { tasks, webhookUrl = null }: { readonly tasks: readonly ParsedTask[]; readonly webhookUrl?: string | null },
): void {
  if (!callerOf(request).isAnonymous) return
  if (webhookUrl !== null)
    throw new Problem('forbidden', { msg: 'webhook_url needs an API key or a sign-in. Leave it out.' })
  const allowed = auth?.config.anonymous.connectors
  const refused = tasks.find(
    ({ operation }) => !isProcessing(operation) && !forEverybody.has(operation) && !allowed?.has(operation),
  )
  if (refused) throw new Problem('forbidden', { msg: `${refused.operation} needs an API key or a sign-in here.` })
}
