export { type Chance, createChance } from '@lathe/testing'
