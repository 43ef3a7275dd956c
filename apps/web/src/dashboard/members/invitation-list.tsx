import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { AskOnce } from '../ask-once.tsx'
import { Card } from '../card.tsx'
import { invitationsQuery, revokeInvitation } from './queries.ts'

/** The pending invitations. */
export function InvitationList({ teamId }: { readonly teamId: string }) {
  const { t } = useTranslation('team')
  const formats = useFormats()
  const { data } = useQuery(invitationsQuery(teamId))
  if (!data || data.length === 0) return null
  return (
    <div className="grid gap-3">
      <h2 className="text-[17px] font-semibold tracking-tight">{t('invite.open')}</h2>
      <Card>
        <ul className="divide-y">
          {data.map(({ id, email, role, inviter, expiresAt }) => {
            const name = email ?? t('invite.link')
            return (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4">
                <div className="min-w-0 flex-1 basis-56">
                  <p className="truncate font-medium">
                    <bdi>{name}</bdi>
                  </p>
                  <p className="truncate text-[13px] text-muted">
                    {t('invite.by', { name: inviter, when: formats.exact(new Date(expiresAt)) })}
                  </p>
                </div>
                <Badge>{t(`roles.${role}`)}</Badge>
                <AskOnce
                  label={t('invite.revoke')}
                  name={t('invite.revokeOne', { name })}
                  question={t('invite.revokeAsk')}
                  onYes={() => revokeInvitation(teamId, id)}
                />
              </li>
            )
          })}
        </ul>
      </Card>
    </div>
  )
}
