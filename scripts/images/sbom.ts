/** An npm or Debian package in a bill of materials. */
interface Component {
  readonly type: 'library' | 'application'
  readonly name: string
  readonly version: string
  readonly purl: string
}

export interface Materials {
  readonly image: string
  readonly version: string
  readonly timestamp: string
  /** `modules.json` of the code layer. */
  readonly modules: readonly { readonly folder: string; readonly version: string }[]
  /** Debian packages of the image itself. */
  readonly debian: Readonly<Record<string, string>>
  /** The manifest of the engine root; absent if an image has none. */
  readonly manifest?: {
    readonly node: string
    readonly architecture: string
    readonly packages: Readonly<Record<string, string>>
    readonly modules: Readonly<Record<string, string>>
  }
  readonly node: string
}

/** The software bill of materials of an image, in CycloneDX 1.6. */
export function toSbom({ image, version, timestamp, modules, debian, manifest, node }: Materials) {
  const all = [
    { type: 'application' as const, name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ...modules.map((module) => npm(nameOf(module.folder), module.version)),
    ...Object.entries(manifest?.modules ?? {}).map(([name, of]) => npm(nameOf(name), of)),
    // The image and its engines may have different versions of a package.
    ...[debian, manifest?.packages ?? {}].flatMap((of) =>
      Object.entries(of).map(([name, version]) => deb(name, version)),
    ),
  ]
  const components = [...new Map(all.map((component) => [component.purl, component])).values()]
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp, component: { type: 'container', name: image, version, 'bom-ref': image } },
    components: components
      .map((component) => ({ ...component, 'bom-ref': component.purl }))
      .sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
}

/** The package name of a folder, which may be inside another package's folder. */
function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + (folder.includes('node_modules/') ? 13 : 1))
}

function npm(name: string, version: string): Component {
  return { type: 'library', name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }
}

function deb(name: string, version: string): Component {
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?distro=trixie`,
  }
}
