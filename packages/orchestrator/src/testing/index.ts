export { createWorkshop, someFile, type Workshop } from './workshop.ts'
