import type { Job, Page } from '@lathe/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { chooseTheme, themes } from '../app/theme.ts'
import { describeJob } from '../dashboard/jobs/describe-job.ts'
import { useFormats } from '../lib/formats.ts'
import { useStore } from '../lib/store.ts'
import { leave } from '../session/bearer.ts'
import { type Session, sessionStore } from '../session/session.ts'
import { actFor } from '../team/act-for.ts'
import type { Command } from './match-commands.ts'

const dashboardPages = ['jobs', 'usage', 'keys', 'webhooks', 'presets', 'security', 'audit', 'settings'] as const
const shownJobs = 5

/** All commands for the current user. */
export function useCommands(onShortcuts: () => void): readonly Command[] {
  const session = useStore(sessionStore, (now) => now)
  return [...usePages(session), ...useRecentJobs(session), ...useActions(session, onShortcuts)]
}

const hasDashboard = (session: Session | undefined) => session?.signedIn === true && session.mode !== 'open'

function usePages(session: Session | undefined): readonly Command[] {
  const { t } = useTranslation(['palette', 'dashboard'])
  const navigate = useNavigate()
  const own = hasDashboard(session)
    ? [
        ...dashboardPages,
        ...(session?.user ? (['members'] as const) : []),
        ...(session?.user?.isAdmin ? (['instance'] as const) : []),
      ].map((page) => ({
        id: page,
        group: 'pages' as const,
        label: t(`dashboard:nav.${page}`),
        run: () => void navigate({ to: `/${page}` }),
      }))
    : []
  return [
    { id: 'convert', group: 'pages', label: t('commands.convert'), run: () => void navigate({ to: '/' }) },
    { id: 'tools', group: 'pages', label: t('commands.tools'), run: () => void navigate({ to: '/tools' }) },
    ...own,
    { id: 'guide', group: 'pages', label: t('commands.guide'), run: () => location.assign('/guide/') },
    { id: 'docs', group: 'pages', label: t('commands.docs'), run: () => location.assign('/docs') },
  ]
}

function useRecentJobs(session: Session | undefined): readonly Command[] {
  const navigate = useNavigate()
  const formats = useFormats()
  const [jobs, setJobs] = useState<readonly Job[]>([])
  const mayAsk = hasDashboard(session)
  useEffect(() => {
    if (!mayAsk) return
    const stop = new AbortController()
    const path = `/v1/process/jobs?include=tasks&per_page=${shownJobs}`
    // Without an answer, the other commands remain.
    call<Page<Job>>(path, { signal: stop.signal }).then(
      ({ docs }) => setJobs(docs),
      () => undefined,
    )
    return () => stop.abort()
  }, [mayAsk])
  return jobs.map((job) => ({
    id: job.id,
    group: 'jobs',
    label: job.tag || describeJob(job),
    note: formats.relative(new Date(job.createdAt)),
    run: () => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } }),
  }))
}

function useActions(session: Session | undefined, onShortcuts: () => void): readonly Command[] {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  const { owner, owners = [], mode, signedIn } = session ?? {}
  const maySignIn = session !== undefined && !signedIn && mode !== 'open'
  return [
    { id: 'shortcuts', group: 'actions', label: t('shortcuts.title'), note: '?', run: onShortcuts },
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      group: 'actions' as const,
      label: t(`colours.${theme}`),
      run: () => chooseTheme(theme),
    })),
    ...owners
      .filter(({ id }) => id !== owner?.id)
      .map(({ id, name }) => ({
        id: `act-${id}`,
        group: 'actions' as const,
        label: t('commands.actFor', { name }),
        run: () => void actFor(id),
      })),
    ...(maySignIn
      ? [
          {
            id: 'in',
            group: 'actions' as const,
            label: t('commands.signIn'),
            run: () => void navigate({ to: '/sign-in' }),
          },
        ]
      : []),
    ...(signedIn && mode !== 'proxy'
      ? [{ id: 'out', group: 'actions' as const, label: t('commands.signOut'), run: () => void leave() }]
      : []),
  ]
}
