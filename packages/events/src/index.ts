export { createEventSource, type EventSource, type EventSourceParts, type ProgressNews } from './event-source.ts'
export { createHub, type Hub, type HubParts, type LogHint } from './hub/hub.ts'
export type { Feed, Listener, SubjectChoice, Watch } from './hub/listener.ts'
export { type TellParts, tellEvents } from './tell-events.ts'
