import { formatsFor } from '@lathe/engines'
import { type Operation, operations, processingOperations } from '@lathe/operations'

const withoutEngine = processingOperations.filter((operation) => formatsFor(operation).length === 0)

/**
 * Operations without an engine. Their requests are validated like any other and then refused, because no worker could
 * run such a task.
 */
export const unavailableOperations: ReadonlySet<Operation> = new Set(withoutEngine)

/** The operations this server supports. */
export const availableOperations: readonly Operation[] = operations.filter((name) => !unavailableOperations.has(name))
