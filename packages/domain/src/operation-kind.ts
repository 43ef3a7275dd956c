/** What an operation does. It decides who runs a task, and whether the task needs an input. */
export type OperationKind = 'import' | 'process' | 'export'
