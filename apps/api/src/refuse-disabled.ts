import { checkDisabled, type ParsedTask } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyRequest } from 'fastify'
import { repeatedOf } from './creation.ts'
import type { Services } from './services.ts'

/**
 * Refuses tasks that need formats that administrators have disabled, unless an earlier request already created them.
 */
export async function refuseDisabled(
  services: Pick<Services, 'disabledFormats' | 'database' | 'clock'>,
  request: FastifyRequest,
  tasks: readonly ParsedTask[],
  path?: (task: ParsedTask) => string,
): Promise<void> {
  const errors = checkDisabled(tasks, await services.disabledFormats.rules(), path)
  const [first] = errors
  if (!first || (await repeatedOf(services, request))) return
  throw new Problem('invalid_request', { msg: `${first.path}: ${first.msg}`, errors })
}
