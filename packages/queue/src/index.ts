export { type QueueConfig, queueConfig, queueEnv } from './config.ts'
export { type ConsumeOptions, type Consumer, consume, gatesOf } from './consume.ts'
export { createDispatch, type Dispatch, type Work } from './dispatch.ts'
export { type Entry, entryId, formerQueueOf, type Pool, pools, priorityOf, type QueueName, queueOf } from './entry.ts'
export { createGate, type Gate } from './gate.ts'
export { createProgressBoard, type ProgressBoard } from './progress-board.ts'
export { connectFast } from './redis.ts'
export {
  type EventHint,
  listenSignals,
  type ProgressMessage,
  type SignalHandlers,
  type SignalListener,
} from './signals.ts'
