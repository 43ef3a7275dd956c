/** Starts the features of the installed app: other apps can share files with it. */
export function startInstalled(): void {
  const register = () => void import('./register-worker.ts').then((one) => one.registerWorker()).catch(() => undefined)
  if (matchMedia('(display-mode: standalone)').matches) register()
  addEventListener('appinstalled', register, { once: true })
  if (location.search === '?shared' && location.pathname === '/') {
    void import('./take-shared.ts').then((one) => one.takeShared()).catch(() => undefined)
  }
}
