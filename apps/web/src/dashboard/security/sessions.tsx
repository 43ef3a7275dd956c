import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AskOnce } from '../ask-once.tsx'
import { RowsSkeleton } from '../card.tsx'
import { Dotted } from '../dotted.tsx'
import { Part } from '../part.tsx'
import { browserOf } from './browser-of.ts'
import { endSession, type OwnSession, sessionsQuery } from './queries.ts'

/** Where the user is signed in. */
export function Sessions() {
  const { t } = useTranslation('dashboard')
  const { data, error, isPending } = useQuery(sessionsQuery)
  return (
    <Part title={t('sessions.title')} text={t('sessions.text')}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {isPending && <RowsSkeleton rows={2} />}
      {data && (
        <ul className="divide-y" aria-label={t('sessions.title')}>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function SessionRow({ session }: { readonly session: OwnSession }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const { current, address, userAgent, lastUsedAt, createdAt } = session
  const browser = browserOf(userAgent) ?? t('sessions.unknown')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent ?? undefined}>
          <bdi>{browser}</bdi>
          {current && <Badge tone="ok">{t('sessions.current')}</Badge>}
        </p>
        <p className="num text-[13px] text-muted">
          <Dotted
            parts={[
              address ?? undefined,
              t('sessions.used', { when: formats.relative(new Date(lastUsedAt)) }),
              t('sessions.since', { when: formats.exact(new Date(createdAt)) }),
            ]}
          />
        </p>
      </div>
      <AskOnce
        label={current ? t('sessions.signOut') : t('sessions.end')}
        name={current ? t('sessions.signOut') : t('sessions.endOne', { name: `${browser} ${address ?? ''}` })}
        question={current ? t('sessions.signOutAsk') : t('sessions.endAsk')}
        onYes={() => endSession(session)}
      />
    </li>
  )
}
