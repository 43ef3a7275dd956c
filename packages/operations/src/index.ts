export { captureBounds, captureFormat } from './connectors/capture.ts'
export { pageBounds, pageDefaults } from './connectors/page-fields.ts'
export { format as formatField, type Hidden, options as optionsField } from './fields.ts'
export {
  addressFields,
  asExport,
  asImport,
  type BodyOf,
  findOperation,
  isFormatOpen,
  isOperation,
  isProcessing,
  isUpload,
  keepsFormat,
  kindOf,
  mayTakeSteps,
  needsSeveral,
  type Operation,
  operations,
  type ProcessingOperation,
  processingOperations,
  secretFields,
  storesFiles,
  takesAnyFormat,
  takesOutputFormat,
  takesTogether,
  uploadOperations,
  usualOutput,
} from './operations.ts'
export type { Fields, GivenOptions, Payload } from './payload.ts'
export { pagesWord, paperSizes, printBounds } from './print-bounds.ts'
export { requestLimits } from './request-limits.ts'
export { rolesOf, splitInputs } from './roles.ts'
