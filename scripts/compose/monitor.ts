/**
 * Asks Prometheus on loopback for its targets and alerts and prints JSON. Waits until api and scheduler are scraped.
 */
import { setTimeout as sleep } from 'node:timers/promises'

interface Targets {
  readonly activeTargets: readonly { readonly health: string; readonly labels: { readonly job: string } }[]
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly type: string }[] }[]
}

const deadline = Date.now() + 60_000
let up: readonly string[] = []
while (!['api', 'scheduler'].every((job) => up.includes(job)) && Date.now() < deadline) {
  await sleep(1_000)
  const { activeTargets } = await ask<Targets>('targets')
  up = activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels.job)
}
const { groups } = await ask<Rules>('rules')
const alerts = groups.flatMap(({ rules }) => rules).filter(({ type }) => type === 'alerting').length
console.log(JSON.stringify({ up, alerts }))

async function ask<Answer>(what: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:9090/api/v1/${what}`)
  return ((await response.json()) as { data: Answer }).data
}
