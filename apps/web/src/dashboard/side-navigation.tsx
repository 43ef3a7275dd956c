import { Link } from '@tanstack/react-router'
import {
  Activity,
  Bookmark,
  ChartColumn,
  KeyRound,
  type LucideIcon,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'

interface PageLink {
  readonly name:
    | 'jobs'
    | 'usage'
    | 'keys'
    | 'webhooks'
    | 'presets'
    | 'members'
    | 'security'
    | 'audit'
    | 'settings'
    | 'instance'
  readonly icon: LucideIcon
  /** Whether it is for signed-in users only, and not for API keys. */
  readonly needsUser?: boolean
  /** Whether it is for administrators of the installation. */
  readonly needsAdmin?: boolean
}

interface Group {
  readonly name?: 'build' | 'account'
  readonly pages: readonly PageLink[]
}

const groups: readonly Group[] = [
  {
    pages: [
      { name: 'jobs', icon: Activity },
      { name: 'usage', icon: ChartColumn },
    ],
  },
  {
    name: 'build',
    pages: [
      { name: 'keys', icon: KeyRound },
      { name: 'webhooks', icon: Webhook },
      { name: 'presets', icon: Bookmark },
    ],
  },
  {
    name: 'account',
    pages: [
      { name: 'members', icon: Users, needsUser: true },
      { name: 'security', icon: ShieldCheck },
      { name: 'audit', icon: ScrollText },
      { name: 'settings', icon: Settings },
      { name: 'instance', icon: Server, needsAdmin: true },
    ],
  },
]

const item =
  'flex min-h-9 items-center gap-2.5 rounded-control px-2.5 py-1.5 font-medium whitespace-nowrap text-muted hover:bg-sunken hover:text-text pointer-coarse:min-h-11'
const current = { className: '!bg-accent-soft !text-accent' }

/** Links between the pages of the dashboard: at the side if there is room, else above the page. */
export function SideNavigation() {
  const { t } = useTranslation('dashboard')
  const user = useStore(sessionStore, (now) => now?.user)
  return (
    <nav
      aria-label={t('nav.label')}
      className="-mx-4 flex gap-1 overflow-x-auto border-b px-4 pb-3 sm:-mx-6 sm:px-6 lg:sticky lg:top-8 lg:mx-0 lg:grid lg:content-start lg:gap-5 lg:self-start lg:border-0 lg:px-0 lg:pb-0"
    >
      {groups.map(({ name, pages }) => (
        <div key={name ?? 'first'} className="contents lg:grid lg:gap-0.5">
          {name && <p className="px-2.5 pb-1 text-xs font-semibold text-faint max-lg:hidden">{t(`nav.${name}`)}</p>}
          {pages
            .filter(({ needsUser, needsAdmin }) => (user || !needsUser) && (user?.isAdmin || !needsAdmin))
            .map(({ name: page, icon: Icon }) => (
              <Link key={page} to={`/${page}`} className={item} activeProps={current}>
                <Icon size={16} aria-hidden className="shrink-0" />
                {t(`nav.${page}`)}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  )
}
