import { describe, expect, it } from 'vitest'
import { hasExpired, planPartitions } from './partitions.ts'

describe('partitions', () => {
  const now = new Date('2026-03-01T12:30:00Z')

  it('are planned from the hour before to six hours ahead, and by the day for idempotency keys and crashed inputs', () => {
    const names = planPartitions(now).map(({ name }) => name)
    expect(names).toContain('tasks_p2026030111')
    expect(names).toContain('tasks_p2026030118')
    expect(names).not.toContain('tasks_p2026030110')
    expect(names).toContain('idempotency_keys_p20260301')
    expect(names).toContain('idempotency_keys_p20260302')
    expect(names).toContain('crashed_inputs_p20260301')
    expect(names).toContain('crashed_inputs_p20260302')
  })

  it('of an hour expire when their youngest record is 24 hours old, and not before [D-state-28]', () => {
    expect(hasExpired('tasks_p2026022811', now)).toBe(true)
    expect(hasExpired('tasks_p2026022812', now)).toBe(false)
    expect(hasExpired('idempotency_keys_p20260228', now)).toBe(false)
    expect(hasExpired('idempotency_keys_p20260227', now)).toBe(true)
    expect(hasExpired('users', now)).toBe(false)
  })

  it('of deliveries to webhooks are of a day and expire when their youngest record is 4 days old [D-event-54]', () => {
    const { from, to } = planPartitions(now).find(({ name }) => name === 'webhook_deliveries_p20260301') ?? {}
    expect({ from, to }).toEqual({ from: "'\\x69a38180'", to: "'\\x69a4d300'" })
    expect(hasExpired('webhook_deliveries_p20260225', now)).toBe(false)
    expect(hasExpired('webhook_deliveries_p20260224', now)).toBe(true)
    expect(hasExpired('job_webhooks_p20260224', now)).toBe(true)
  })
})
