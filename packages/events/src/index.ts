export { type TellParts, tellEvents } from './tell-events.ts'
