export { abilitiesOf } from './abilities-of.ts'
export { pageRunner } from './browser/tool.ts'
export { catalogVersion, nameOf, previewVersion, versionFor } from './catalog-version.ts'
export { checkCatalog } from './check-catalog.ts'
export { checkOptions } from './check-options.ts'
export {
  type Ability,
  type CallStep,
  type Engine,
  type Findings,
  type JsonObject,
  maxRounds,
  type Plan,
  type PlannedOutput,
  type PlanRequest,
  type ProcessStep,
  type SourceFile,
  type Step,
  type StepExit,
  type Tolerated,
} from './engine.ts'
export { familiesFor, familyOf, familyOfTool } from './engine-family.ts'
export { engines, routes } from './engines.ts'
export { type CostQuestion, expectedLane, expectedSeconds } from './expected-cost.ts'
export { catalogNames } from './generated/catalog-names.ts'
export { measuredRoutes } from './generated/measured-routes.ts'
export { type PolicyTrial, policyTrials } from './magick/policy-trials.ts'
export { freeTextOptions, type OptionDescriptor, secretOptions } from './option-descriptor.ts'
export { pageLimits } from './printing/limits.ts'
export { toInches, toPrintParameters } from './printing/print.ts'
export { advertised, advertisedFor, findAbility, formatsFor, planTask, tools } from './registry.ts'
export { lossOf } from './routes/losses.ts'
export type { MeasuredRoute } from './routes/route.ts'
export { plainProfile, type Runner, type SystemCallRules, type Tool, type ToolProfile } from './tool.ts'
