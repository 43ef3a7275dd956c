import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ConverterPage } from '../converter/converter-page.tsx'
import type { AuditFilter } from '../dashboard/audit/audit-filter.ts'
import type { JobFilter } from '../dashboard/jobs/job-filter.ts'
import { NotFound, Trouble } from '../pages/trouble.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Trouble })

const home = createRoute({ getParentRoute: () => root, path: '/', component: ConverterPage })

const readyEntry = async () => (await import('../pages/words.ts')).readyEntry()

const readyTeam = async () => (await import('../team/words.ts')).readyTeam()

const readyAdmin = async () => (await import('../dashboard/instance/words.ts')).readyAdmin()
const readyPresets = async () => (await import('../presets/words.ts')).readyPresets()

const readyEntryAndTeam = async () => void (await Promise.all([readyEntry(), readyTeam()]))

const readyTools = async () => (await import('../converter/tools/words.ts')).readyTools()

/** Loads a page together with its translations. */
const pageWith = <T extends Record<string, unknown>, K extends keyof T & string>(
  ready: () => Promise<void>,
  page: () => Promise<T>,
  name: K,
) =>
  lazyRouteComponent(async () => {
    const [made] = await Promise.all([page(), ready()])
    return made
  }, name)

const dashboardRoute = <P extends string, T extends Record<string, unknown>, K extends keyof T & string>(
  path: P,
  page: () => Promise<T>,
  name: K,
) => createRoute({ getParentRoute: () => root, path, component: dashboardPage(page, name) })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: pageWith(readyEntryAndTeam, () => import('../pages/sign-in.tsx'), 'SignInPage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: pageWith(readyEntryAndTeam, () => import('../pages/join.tsx'), 'JoinPage'),
})

// Includes the translations of the sign-in, which the page may need, and of the page of keys, which names the
// permissions.
const readyDevice = async () => {
  const [words, { readyDashboard }] = await Promise.all([import('../pages/words.ts'), import('../dashboard/words.ts')])
  await Promise.all([words.readyDevice(), words.readyEntry(), readyTeam(), readyDashboard()])
}

const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  component: pageWith(readyDevice, () => import('../pages/device.tsx'), 'DevicePage'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: pageWith(readyEntry, () => import('../pages/setup.tsx'), 'SetupPage'),
})

const share = createRoute({
  getParentRoute: () => root,
  path: '/share',
  component: pageWith(readyTools, () => import('../pages/share.tsx'), 'SharePage'),
})

const readyOperations = async () => (await import('../operations/words.ts')).readyOperations()

const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  component: pageWith(readyOperations, () => import('../operations/operations-page.tsx'), 'OperationsPage'),
})

const tool = createRoute({
  getParentRoute: () => root,
  path: '/tools/$operation',
  component: pageWith(readyOperations, () => import('../operations/operation-page.tsx'), 'OperationPage'),
})

/** Loads a page of the dashboard together with its translations. */
const dashboardPage = <T extends Record<string, unknown>, K extends keyof T & string>(
  page: () => Promise<T>,
  name: K,
  readyMore?: () => Promise<void>,
) =>
  lazyRouteComponent(async () => {
    const [made, { readyDashboard }] = await Promise.all([page(), import('../dashboard/words.ts'), readyMore?.()])
    await readyDashboard()
    return made
  }, name)

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  // The page parses it, because it is not loaded with the first one.
  validateSearch: (search): JobFilter => search,
  component: dashboardPage(() => import('../dashboard/jobs/jobs-page.tsx'), 'JobsPage'),
})

const job = dashboardRoute('/jobs/$jobId', () => import('../dashboard/jobs/job-page.tsx'), 'JobPage')

const keys = dashboardRoute('/keys', () => import('../dashboard/keys/keys-page.tsx'), 'KeysPage')

const presets = createRoute({
  getParentRoute: () => root,
  path: '/presets',
  component: dashboardPage(() => import('../dashboard/presets/presets-page.tsx'), 'PresetsPage', readyPresets),
})

const webhooks = dashboardRoute('/webhooks', () => import('../dashboard/webhooks/webhooks-page.tsx'), 'WebhooksPage')

const webhook = dashboardRoute(
  '/webhooks/$webhookId',
  () => import('../dashboard/webhooks/webhook-page.tsx'),
  'WebhookPage',
)

const security = dashboardRoute('/security', () => import('../dashboard/security/security-page.tsx'), 'SecurityPage')

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: (search): AuditFilter => search,
  component: dashboardPage(() => import('../dashboard/audit/audit-page.tsx'), 'AuditPage'),
})

const settings = dashboardRoute('/settings', () => import('../dashboard/settings/settings-page.tsx'), 'SettingsPage')

const usage = dashboardRoute('/usage', () => import('../dashboard/usage/usage-page.tsx'), 'UsagePage')

const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  component: dashboardPage(() => import('../dashboard/members/members-page.tsx'), 'MembersPage', readyTeam),
})

const instance = createRoute({
  getParentRoute: () => root,
  path: '/instance',
  component: dashboardPage(() => import('../dashboard/instance/instance-page.tsx'), 'InstancePage', readyAdmin),
})

/** The pages. The api knows the same paths: see its `web-routes.ts`. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    setup,
    join,
    device,
    share,
    tools,
    tool,
    members,
    instance,
    jobs,
    job,
    keys,
    presets,
    webhooks,
    webhook,
    security,
    audit,
    settings,
    usage,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
