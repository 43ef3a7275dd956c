/** What an installed app does besides: it can be shared with. Loaded by it alone. */
export function startInstalled(): void {
  const register = () => void import('./register-worker.ts').then((one) => one.registerWorker()).catch(() => undefined)
  if (matchMedia('(display-mode: standalone)').matches) register()
  addEventListener('appinstalled', register, { once: true })
  if (location.search === '?shared' && location.pathname === '/') {
    void import('./take-shared.ts').then((one) => one.takeShared()).catch(() => undefined)
  }
}
