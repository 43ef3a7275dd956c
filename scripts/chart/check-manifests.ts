type Labels = Readonly<Record<string, string>>

interface Port {
  readonly name: string
  readonly targetPort?: string
}

interface Container {
  readonly name: string
  readonly env?: readonly { readonly name: string }[]
  readonly ports?: readonly Port[]
  readonly resources?: { readonly limits?: { readonly memory?: string } }
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean; readonly allowPrivilegeEscalation?: boolean }
  readonly volumeMounts?: readonly { readonly name: string }[]
}

interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly { readonly name: string }[]
  readonly automountServiceAccountToken?: boolean
}

/** The parts of a rendered manifest that are checked. */
export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
  readonly spec: {
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
    readonly selector?: Labels & { readonly matchLabels?: Labels }
    readonly podSelector?: { readonly matchLabels?: Labels }
    readonly ports?: readonly Port[]
    readonly scaleTargetRef?: { readonly name: string }
  }
}

/**
 * Finds inconsistencies in the rendered manifests: duplicate names, selectors without pods, missing ports and volumes.
 */
export function checkManifests(all: readonly Manifest[], settings: ReadonlySet<string>): readonly string[] {
  const pods = all.flatMap(({ spec: { template } }) => (template ? [template] : []))
  const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is there twice`)
  return [
    ...twice,
    ...all.flatMap((one) => checkOne(one, all, pods, settings).map((fault) => `${nameOf(one)}: ${fault}`)),
  ]
}

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`

type Pods = readonly { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }[]

function checkOne(one: Manifest, all: readonly Manifest[], pods: Pods, settings: ReadonlySet<string>): string[] {
  const { template, scaleTargetRef, ports = [] } = one.spec
  const faults = template ? checkPod(template.spec, settings) : []
  const wanted = selectorOf(one)
  const selected = pods.filter(({ metadata: { labels } }) => wanted && matches(labels, wanted))
  // A policy may select pods that this release does not have.
  if (wanted && selected.length === 0 && one.kind !== 'NetworkPolicy') faults.push('selects no pods')
  const open = selected.flatMap(({ spec }) =>
    spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
  )
  for (const { targetPort } of ports) if (targetPort && !open.includes(targetPort)) faults.push(`no port ${targetPort}`)
  const target = scaleTargetRef?.name
  if (target && !all.some(({ kind, metadata }) => kind === 'Deployment' && metadata.name === target)) {
    faults.push(`no Deployment ${target}`)
  }
  return faults
}

function selectorOf({ kind, spec }: Manifest): Labels | undefined {
  if (kind === 'ServiceMonitor') return undefined
  return spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector
}

const matches = (labels: Labels, wanted: Labels) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

function checkPod(spec: PodSpec, settings: ReadonlySet<string>): string[] {
  const { containers, initContainers = [], volumes = [], automountServiceAccountToken } = spec
  const faults = automountServiceAccountToken === false ? [] : ['mounts the token of its service account']
  for (const container of [...containers, ...initContainers]) {
    const { name, env = [], resources, securityContext, volumeMounts = [] } = container
    const unknown = env.map((one) => one.name.replace(/_FILE$/, '')).filter((setting) => !settings.has(setting))
    faults.push(...unknown.map((setting) => `no setting ${setting}`))
    if (!resources?.limits?.memory) faults.push(`${name} has no memory limit`)
    if (!securityContext?.readOnlyRootFilesystem) faults.push(`${name} may write to its root`)
    if (securityContext?.allowPrivilegeEscalation !== false) faults.push(`${name} may gain privileges`)
    const missing = volumeMounts.filter((mount) => !volumes.some((volume) => volume.name === mount.name))
    faults.push(...missing.map((mount) => `${name} mounts ${mount.name}, which is no volume`))
  }
  return faults
}
