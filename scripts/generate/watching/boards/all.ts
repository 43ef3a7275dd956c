import type { Board } from '../board.ts'
import { dependencies } from './dependencies.ts'
import { hosts } from './hosts.ts'
import { owners } from './owners.ts'
import { slos } from './slos.ts'
import { work } from './work.ts'

export const boards: readonly Board[] = [slos, work, hosts, dependencies, owners]
