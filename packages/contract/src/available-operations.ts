import { formatsFor } from '@lathe/engines'
import { type Operation, operations, processingOperations } from '@lathe/operations'

const withoutEngine = processingOperations.filter((operation) => formatsFor(operation).length === 0)

/**
 * Operations no engine here can do. Their requests are
 * validated like any other, then refused: accepting a task nobody can run would be a lie.
 */
export const unavailableOperations: ReadonlySet<Operation> = new Set(withoutEngine)

/** The operations this server carries out. */
export const availableOperations: readonly Operation[] = operations.filter((name) => !unavailableOperations.has(name))
