import type { EngineSlotsConfig } from '@lathe/domain'
import { createEngineWorkers } from './engine-workers.ts'
import { createOwnerSlots, type OwnerSlots, type ReadyTask } from './owner-slots.ts'
import { createTransferWorkers } from './transfer-workers.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Conversion, Group } from './work.ts'

export interface CellSize {
  readonly slots: number
  /** Workers of each group, and how each worker shares its engines. */
  readonly workers: Readonly<Record<Group, { readonly count: number; readonly engines: EngineSlotsConfig }>>
  /** Concurrent imports and exports. */
  readonly transfers: number
}

/** Callbacks for the progress of a conversion in a cell. */
export interface CellWatch {
  /** One of its tasks is ready and waits. */
  ready(ownerId: string): void
  /** One of its tasks starts after it waited for `waitedMs`. */
  started(ownerId: string, what: 'transfer' | 'quick' | 'long', waitedMs: number): void
  ended(ownerId: string): void
  /** All of it is done. */
  completed(ownerId: string): void
}

/** One cell with its own database, queues and workers. */
export interface Cell {
  accept(ownerId: string, conversion: Conversion): void
  /** Unfinished conversions. */
  readonly open: number
  /** Removes everything in the cell. Returns the number and the owners of the lost conversions. */
  lose(): { readonly open: number; readonly owners: readonly string[] }
  usedMs(group: Group): number
}

export function createCell(clock: VirtualClock, size: CellSize, watch: CellWatch): Cell {
  const owners = new Map<string, { readonly slots: OwnerSlots; open: number }>()
  const transfers = createTransferWorkers(clock, size.transfers)
  const engines = {
    av: createEngineWorkers(clock, size.workers.av),
    rest: createEngineWorkers(clock, size.workers.rest),
  }
  let open = 0
  let accepted = 0

  function ownerOf(ownerId: string) {
    const known = owners.get(ownerId)
    if (known) return known
    const made = { slots: createOwnerSlots(ownerId, size.slots), open: 0 }
    owners.set(ownerId, made)
    return made
  }

  function accept(ownerId: string, conversion: Conversion): void {
    const owner = ownerOf(ownerId)
    accepted += 1
    const age = accepted
    open += 1
    owner.open += 1
    const steps = ['import', 'engine', 'export'] as const

    function toReady(step: number): ReadyTask {
      const since = clock.now
      const kind = steps[step] === 'engine' ? conversion.lane : 'transfer'
      const started = () => watch.started(ownerId, kind, clock.now - since)
      const ended = () => finish(step)
      watch.ready(ownerId)
      return {
        id: `${age}-${step}`,
        age: age + step / 4,
        dispatch(rank) {
          if (kind === 'transfer') transfers.add({ transferMs: conversion.transferMs, rank, started, ended })
          else
            engines[conversion.group].add({ ownerId, lane: kind, engineMs: conversion.engineMs, rank, started, ended })
        },
      }
    }

    // Like the service: one transaction ends a task, makes the next ready and assigns slots.
    function finish(step: number): void {
      watch.ended(ownerId)
      if (step + 1 < steps.length) {
        owner.slots.settle(1, toReady(step + 1))
        return
      }
      open -= 1
      owner.open -= 1
      if (owner.open === 0) owners.delete(ownerId)
      watch.completed(ownerId)
      owner.slots.settle(1)
    }

    owner.slots.settle(0, toReady(0))
  }

  return {
    accept,
    get open() {
      return open
    },
    lose() {
      transfers.lose()
      for (const group of Object.values(engines)) group.lose()
      return { open, owners: [...owners.keys()] }
    },
    usedMs: (group) => engines[group].usedMs,
  }
}
