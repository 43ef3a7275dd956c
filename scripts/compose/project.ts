import { setTimeout as sleep } from 'node:timers/promises'
import { read, succeeds } from '../containers/podman.ts'
import { type ComposeFile, type Service, startOrder } from './compose-file.ts'
import { containerOf, type Project, runArguments } from './to-podman.ts'

const withinMs = 180_000
const checksFormat = '{{if .Config.Healthcheck}}{{len .Config.Healthcheck.Test}}{{else}}0{{end}}'
const stateFormat = `{{.State.Status}} {{.State.ExitCode}} ${checksFormat}`

/**
 * Creates the networks and gives each service an address in them. The networks are internal: a rehearsal calls no other
 * host.
 */
export function createProject(
  { name, folder, alsoStarted }: Omit<Project, 'addresses'>,
  compose: ComposeFile,
): Project {
  const addresses: Record<string, Record<string, string>> = {}
  for (const [index, [network, { ipam }]] of Object.entries(compose.networks).entries()) {
    const subnet = ipam?.config[0]?.subnet ?? `10.231.${index}.0/24`
    const members = Object.entries(compose.services).filter(([, { networks }]) => networks.includes(network))
    const start = subnet.split('.').slice(0, 3).join('.')
    addresses[network] = Object.fromEntries(members.map(([service], place) => [service, `${start}.${place + 10}`]))
    read(['podman', 'network', 'create', '--internal', '--subnet', subnet, `${name}-${network}`])
  }
  return { name, folder, addresses, alsoStarted }
}

/**
 * Starts every service in order, each when the conditions of its dependencies hold, and waits until all are healthy.
 */
export async function up(project: Project, compose: ComposeFile): Promise<void> {
  const names = startOrder(compose, project.alsoStarted)
  for (const name of names) {
    const service = compose.services[name] as Service
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {}))
      await reach(project, needed, condition)
    read(['podman', ...runArguments(project, name, service)])
  }
  const lasting = names.filter((name) => compose.services[name]?.restart !== 'no')
  for (const name of lasting) await reach(project, name, 'service_healthy')
}

/** Stops all services in reverse order, each within its grace period. Keeps volumes. Returns the exit code of each. */
export function down(project: Project, compose: ComposeFile): Readonly<Record<string, number>> {
  const codes: Record<string, number> = {}
  for (const name of [...startOrder(compose, project.alsoStarted)].reverse()) {
    const container = containerOf(project, name)
    if (!succeeds(['podman', 'container', 'exists', container])) continue
    const seconds = Number.parseInt(compose.services[name]?.stop_grace_period ?? '10', 10)
    read(['podman', 'stop', '--time', String(seconds), container])
    codes[name] = Number(read(['podman', 'inspect', '--format', '{{.State.ExitCode}}', container]))
    read(['podman', 'rm', container])
  }
  return codes
}

/** Removes everything of a project, including its data. */
export function remove(name: string, compose: ComposeFile): void {
  for (const service of Object.keys(compose.services)) {
    succeeds(['podman', 'rm', '--force', '--time', '0', '--volumes', `${name}-${service}`])
  }
  for (const network of Object.keys(compose.networks)) succeeds(['podman', 'network', 'rm', `${name}-${network}`])
  for (const volume of Object.keys(compose.volumes)) succeeds(['podman', 'volume', 'rm', `${name}-${volume}`])
}

async function reach(project: Project, name: string, condition: string): Promise<void> {
  const container = containerOf(project, name)
  const deadline = Date.now() + withinMs
  while (!isReached(container, condition)) {
    if (Date.now() > deadline) throw new Error(`${name} is not ${condition}:\n${logOf(container)}`)
    await sleep(250)
  }
}

function isReached(container: string, condition: string): boolean {
  const [status, code, checks] = read(['podman', 'inspect', '--format', stateFormat, container]).trim().split(' ')
  if (status === 'exited') {
    if (condition === 'service_completed_successfully' && code === '0') return true
    throw new Error(`${container} ended with ${code}:\n${logOf(container)}`)
  }
  if (condition !== 'service_healthy') return false
  // A service without a health check counts as healthy. Nothing runs the checks on a schedule, so run it now.
  return checks === '0' || succeeds(['podman', 'healthcheck', 'run', container])
}

/** The last lines a container wrote. */
export function logOf(container: string): string {
  return read(['bash', '-c', 'podman logs --tail 40 "$1" 2>&1', 'logs', container])
}
