export { countCosts } from './count-costs.ts'
export { createWorkshop, someFile, type Workshop } from './workshop.ts'
