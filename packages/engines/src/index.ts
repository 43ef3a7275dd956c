export { catalogVersion, nameOf, versionFor } from './catalog-version.ts'
export { type CheckedOptions, checkOptions } from './check-options.ts'
export {
  type Ability,
  type CallStep,
  type Engine,
  type Findings,
  type JsonObject,
  type JsonValue,
  maxRounds,
  type Plan,
  type PlannedOutput,
  type PlanRequest,
  type ProcessStep,
  type RunnerName,
  type SourceFile,
  type Step,
  type StepExit,
  type StepLimits,
  type StepProfile,
  type Tolerated,
} from './engine.ts'
export { familiesFor, familyOf, familyOfStep } from './engine-family.ts'
export { type CostQuestion, expectedLane, expectedSeconds } from './expected-cost.ts'
export { catalogNames } from './generated/catalog-names.ts'
export { type PolicyTrial, policyTrials } from './magick/policy-trials.ts'
export { type EnumValue, type OptionCondition, type OptionDescriptor, secretOptions } from './option-descriptor.ts'
export { advertised, engines, findAbility, formatsFor, optionNamesFor, planTask } from './registry.ts'
