export { createEventSource } from './event-source.ts'
export { createHub, type Hub } from './hub/hub.ts'
export type { Listener, SubjectChoice, Watch } from './hub/listener.ts'
export { renderEvents } from './render-events.ts'
