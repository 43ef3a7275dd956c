export interface ImageBuild {
  /** The stage of the Dockerfile. */
  readonly target: string
  /** The name of the image. */
  readonly image: string
  readonly base: string
  /** The time of all files, in seconds. */
  readonly epoch: string
  /** Where the images are published. */
  readonly registry: string
  readonly labels: Readonly<Record<string, string>>
  /** Whether nothing of earlier builds is used: the same command installs newer packages later. */
  readonly isRefreshed: boolean
}

/** The arguments of podman for one image; the folder to build from follows. */
export function buildArguments({
  target,
  image,
  base,
  epoch,
  registry,
  labels,
  isRefreshed,
}: ImageBuild): readonly string[] {
  return [
    // Chroot isolation and the host network also work inside containers, where CI may run.
    ...['build', '--quiet', '--isolation', 'chroot', '--network', 'host', '--format', 'docker'],
    isRefreshed ? '--no-cache' : '--layers',
    // All files have the same time, so that the same content gives the same layer.
    ...['--timestamp', epoch, '--build-arg', `SOURCE_DATE_EPOCH=${epoch}`, '--build-arg', `BASE=${base}`],
    ...['--build-arg', `REGISTRY=${registry}`],
    ...['--target', target, '--tag', image],
    ...Object.entries(labels).flatMap(([name, text]) => ['--label', `${name}=${text}`]),
  ]
}
