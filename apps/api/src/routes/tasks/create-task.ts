import { expandTask, type OperationRouteName, operationRoutes, parseTask, presetsOfTask } from '@lathe/contract'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { findKnownPresets } from '../presets/find-known-presets.ts'
import { answerNewTask } from './answer-new-task.ts'

/** POST /v1/process/{operation}: one endpoint for each operation. */
export function createTaskRoutes(app: FastifyInstance, services: Services): void {
  for (const name of Object.keys(operationRoutes) as OperationRouteName[]) createTaskRoute(app, name, services)
}

function createTaskRoute(app: FastifyInstance, name: OperationRouteName, services: Services): void {
  const { operation } = operationRoutes[name]
  app.route({
    ...endpoint(name),
    handler: async (request, reply) => {
      const { body } = request
      const presets = await findKnownPresets(services, callerOf(request), presetsOfTask(body))
      return answerNewTask(services, request, reply, parseTask(operation, expandTask(operation, body, presets)))
    },
  })
}
