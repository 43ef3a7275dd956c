export { type CheckedOptions, checkOptions } from './check-options.ts'
export type {
  Ability,
  CallStep,
  Engine,
  JsonObject,
  JsonValue,
  Plan,
  PlannedOutput,
  PlanRequest,
  ProcessStep,
  SourceFile,
  Step,
  StepLimits,
} from './engine.ts'
export type { EnumValue, OptionCondition, OptionDescriptor } from './option-descriptor.ts'
export { engines, findAbility, formatsFor, optionNamesFor, planTask } from './registry.ts'
