import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type InstanceView, type PoolView } from './pool-decision.ts'

const base: PoolView = { instances: [], waiting: [], size: 2, spares: 1, now: 5000, restMs: 1000 }

describe('the pool decides', () => {
  it('to start its spares before the first call', () => {
    expect(decide(base)).toEqual({ assign: [], end: [], start: 1 })
  })

  it('to give an owner its own idle instance, and keep the spare', () => {
    const instances: InstanceView[] = [
      { id: 1, state: 'spare' },
      { id: 2, state: 'idle', owner: 'a', idleSince: 0 },
    ]
    const { assign, end } = decide({ ...base, instances, waiting: [{ ticket: 9, owner: 'a' }] })
    expect(assign).toEqual([{ ticket: 9, instance: 2 }])
    expect(end).toEqual([])
  })

  it('to give a new owner a spare and start the next one at once', () => {
    const waiting = [{ ticket: 9, owner: 'b' }]
    const decision = decide({ ...base, instances: [{ id: 1, state: 'spare' }], waiting })
    expect(decision).toEqual({ assign: [{ ticket: 9, instance: 1 }], end: [], start: 1 })
  })

  it('to end an idle instance of another owner when the pool is full, and start none before it is gone', () => {
    const instances: InstanceView[] = [
      { id: 1, state: 'busy', owner: 'a' },
      { id: 2, state: 'idle', owner: 'a', idleSince: 4999 },
    ]
    const waiting = [{ ticket: 9, owner: 'b' }]
    expect(decide({ ...base, instances, waiting })).toEqual({ assign: [], end: [2], start: 0 })
    const ending = instances.map((i) => (i.id === 2 ? ({ ...i, state: 'ending' } as const) : i))
    expect(decide({ ...base, instances: ending, waiting })).toEqual({ assign: [], end: [], start: 0 })
  })

  it('to keep an idle instance for its owner for a time, then to replace it with a spare', () => {
    const instances: InstanceView[] = [
      { id: 1, state: 'busy', owner: 'a' },
      { id: 2, state: 'idle', owner: 'b', idleSince: 4500 },
    ]
    expect(decide({ ...base, instances }).end).toEqual([])
    expect(decide({ ...base, instances, now: 5501 }).end).toEqual([2])
  })

  it('F: to keep the spare for others, however many calls of one owner wait', () => {
    const instances: InstanceView[] = [
      { id: 1, state: 'busy', owner: 'loud' },
      { id: 2, state: 'busy', owner: 'loud' },
      { id: 3, state: 'spare' },
    ]
    const loud = [7, 8].map((ticket) => ({ ticket, owner: 'loud' }))
    const view = { ...base, size: 3, instances }
    expect(decide({ ...view, waiting: loud })).toEqual({ assign: [], end: [], start: 0 })
    const { assign } = decide({ ...view, waiting: [...loud, { ticket: 9, owner: 'quiet' }] })
    expect(assign).toEqual([{ ticket: 9, instance: 3 }])
  })

  it('F: not to end a recently used instance for an owner who has one already', () => {
    const instances: InstanceView[] = [
      { id: 1, state: 'busy', owner: 'loud' },
      { id: 2, state: 'idle', owner: 'quiet', idleSince: 4500 },
      { id: 3, state: 'busy', owner: 'other' },
    ]
    const view = { ...base, size: 3, instances, waiting: [{ ticket: 9, owner: 'loud' }] }
    expect(decide(view).end).toEqual([])
    expect(decide({ ...view, now: 5500 }).end).toEqual([2])
    expect(decide({ ...view, waiting: [{ ticket: 9, owner: 'new' }] }).end).toEqual([2])
  })

  it('to end an instance whose owner does not wait first', () => {
    const instances: InstanceView[] = [
      { id: 1, state: 'idle', owner: 'a', idleSince: 1 },
      { id: 2, state: 'idle', owner: 'b', idleSince: 2 },
    ]
    const waiting = [
      { ticket: 8, owner: 'c' },
      { ticket: 9, owner: 'a' },
    ]
    const decision = decide({ ...base, instances, waiting })
    expect(decision.end).toEqual([2])
    expect(decision.assign).toEqual([{ ticket: 9, instance: 1 }])
  })
})

type Move = { readonly kind: 'come'; readonly owner: string } | { readonly kind: 'happen'; readonly pick: number }

interface Model {
  instances: InstanceView[]
  waiting: { ticket: number; owner: string }[]
  now: number
  next: number
  readonly ownersOf: Map<number, Set<string>>
  served: number
}

/** Applies a decision to the model, and checks each rule on the way. */
function apply(model: Model, size: number, spares: number): void {
  const { instances, waiting, now } = model
  const decision = decide({ instances, waiting, size, spares, now, restMs: 10 })
  for (const { ticket, instance: id } of decision.assign) {
    const instance = model.instances.find((candidate) => candidate.id === id)
    const owner = model.waiting.find((waiter) => waiter.ticket === ticket)?.owner
    if (owner === undefined) throw new Error('a ticket served twice')
    expect(['spare', 'idle']).toContain(instance?.state)
    const owners = model.ownersOf.get(id) ?? new Set()
    model.ownersOf.set(id, owners.add(owner))
    expect(owners.size).toBe(1)
    model.waiting = model.waiting.filter((waiter) => waiter.ticket !== ticket)
    model.instances = model.instances.map((i) => (i.id === id ? { id, state: 'busy', owner } : i))
    model.served += 1
  }
  for (const id of decision.end) {
    expect(model.instances.find((i) => i.id === id)?.state).toBe('idle')
    model.instances = model.instances.map((i) => (i.id === id ? { ...i, state: 'ending' } : i))
  }
  for (let n = 0; n < decision.start; n += 1) {
    model.instances.push({ id: model.next, state: 'starting' })
    model.next += 1
  }
  expect(model.instances.length).toBeLessThanOrEqual(size)
}

/** Advances one instance by one event: it becomes ready, its call ends, or it is gone. */
function happen(model: Model, pick: number): void {
  const moving = model.instances.filter(({ state }) => state === 'starting' || state === 'busy' || state === 'ending')
  const chosen = moving[pick % Math.max(moving.length, 1)]
  model.now += 3
  if (!chosen) return
  const { id, owner = '' } = chosen
  if (chosen.state === 'ending') model.instances = model.instances.filter((i) => i.id !== id)
  const after: InstanceView =
    chosen.state === 'starting' ? { id, state: 'spare' } : { id, state: 'idle', owner, idleSince: model.now }
  model.instances = model.instances.map((i) => (i.id === id ? after : i))
}

describe('for arbitrary calls, the pool', () => {
  const come = fc.constantFrom('a', 'b', 'c').map((owner): Move => ({ kind: 'come', owner }))
  const other = fc.nat(20).map((pick): Move => ({ kind: 'happen', pick }))

  it('never shares an instance between owners, never exceeds its size and serves every call', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(come, other), { maxLength: 80 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(3),
        (moves, size, spares) => {
          const model: Model = { instances: [], waiting: [], now: 0, next: 1, ownersOf: new Map(), served: 0 }
          let came = 0
          apply(model, size, spares)
          for (const move of moves) {
            if (move.kind === 'come') {
              came += 1
              model.waiting = [...model.waiting, { ticket: 1000 + came, owner: move.owner }]
            } else happen(model, move.pick)
            apply(model, size, spares)
          }
          for (let n = 0; n < 2000 && model.waiting.length > 0; n += 1) {
            happen(model, n)
            apply(model, size, spares)
          }
          expect(model.served).toBe(came)
        },
      ),
      { numRuns: 500 },
    )
  })
})
