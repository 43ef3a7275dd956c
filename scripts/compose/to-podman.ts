import { resolve } from 'node:path'
import type { Service } from './compose-file.ts'

export interface Project {
  readonly name: string
  /** Where the compose file is. */
  readonly folder: string
  /** Services with a profile to start as well. */
  readonly alsoStarted: readonly string[]
  /** Addresses of every service by network. */
  readonly addresses: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const containerOf = (project: Project, service: string) => `${project.name}-${service}`

/**
 * The podman arguments that do what `docker compose` would do for one service. Ports are not published: there are no
 * calls from outside.
 */
export function runArguments(project: Project, name: string, service: Service): readonly string[] {
  return [
    ...['run', '--detach', '--name', containerOf(project, name), '--hostname', name, '--runtime', 'runc'],
    // Machines that run CI in a container cannot raise these limits.
    ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=8192:8192'],
    ...networkArguments(project, name, service),
    ...Object.entries(service.environment ?? {}).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...option('--user', service.user),
    ...(service.cap_drop ?? []).flatMap((capability) => ['--cap-drop', capability]),
    ...(service.security_opt ?? []).flatMap((word) => securityArguments(project, word)),
    ...(service.read_only ? ['--read-only'] : []),
    ...(service.tmpfs ?? []).flatMap((mount) => ['--tmpfs', mount]),
    ...(service.volumes ?? []).flatMap((volume) => ['--volume', toVolume(project, volume)]),
    ...option('--memory', service.mem_limit),
    ...option('--pids-limit', service.pids_limit),
    ...option('--shm-size', service.shm_size),
    ...healthArguments(service),
    service.image,
    ...(service.command ?? []),
  ]
}

function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [name, String(value)]
}

// Names are resolved by /etc/hosts: not every podman has a DNS server.
function networkArguments({ name: project, addresses }: Project, name: string, { networks }: Service) {
  const own = networks.flatMap((network) => [
    '--network',
    `${project}-${network}:ip=${addresses[network]?.[name] ?? ''}`,
  ])
  const others = networks.flatMap((network) => Object.entries(addresses[network] ?? {}))
  const known = new Map(others.filter(([other]) => other !== name))
  return [...own, ...[...known].flatMap(([other, address]) => ['--add-host', `${other}:${address}`])]
}

/** Podman uses other names for the same options. */
function securityArguments({ folder }: Project, word: string): readonly string[] {
  const [kind, value = ''] = word.split(/[:=]/)
  switch (kind) {
    case 'no-new-privileges':
      return ['--security-opt', 'no-new-privileges']
    case 'seccomp':
      return ['--security-opt', `seccomp=${resolve(folder, value)}`]
    case 'systempaths':
      return ['--security-opt', 'unmask=ALL']
    case 'apparmor':
      return []
    default:
      throw new Error(`security option ${word} cannot be translated`)
  }
}

function toVolume({ name, folder }: Project, volume: string): string {
  const [source = '', ...rest] = volume.split(':')
  const from = source.startsWith('.') || source.startsWith('/') ? resolve(folder, source) : `${name}-${source}`
  return [from, ...rest].join(':')
}

function healthArguments({ healthcheck }: Service): readonly string[] {
  if (healthcheck?.disable) return ['--no-healthcheck']
  const [kind, ...command] = healthcheck?.test ?? []
  if (kind === undefined) return []
  if (kind !== 'CMD') throw new Error(`health check of kind ${kind} cannot be translated`)
  // Podman adds `CMD` itself.
  return ['--health-cmd', JSON.stringify(command)]
}
