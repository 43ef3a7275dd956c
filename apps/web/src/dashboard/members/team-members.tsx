import { useQuery } from '@tanstack/react-query'
import { Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Owner } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AskOnce } from '../ask-once.tsx'
import { Card, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { RenameDrawer } from '../rename-drawer.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDrawer } from './invite-drawer.tsx'
import { MemberRow } from './member-row.tsx'
import { deleteTeam, membersQuery, renameTeam } from './queries.ts'

/** The members of a team, and the actions of those who manage it. */
export function TeamMembers({ team }: { readonly team: Owner }) {
  const { t } = useTranslation('team')
  const [isInviting, setIsInviting] = useState(false)
  const [isRenaming, setIsRenaming] = useState(false)
  const renameOne = t('members.renameOne', { name: team.name })
  const isAdmin = team.role !== 'member'
  const actions = isAdmin && (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={renameOne} onClick={() => setIsRenaming(true)}>
        <Pencil size={16} aria-hidden />
        {t('members.rename')}
      </Button>
      <Button look="primary" onClick={() => setIsInviting(true)}>
        <UserPlus size={16} aria-hidden />
        {t('invite.title')}
      </Button>
    </div>
  )
  return (
    <DashboardPage title={team.name} text={t('members.text')} action={actions}>
      <MemberList team={team} />
      {isAdmin && <InvitationList teamId={team.id} />}
      {team.role === 'owner' && <Deletion team={team} />}
      {isRenaming && (
        <RenameDrawer
          title={renameOne}
          name={team.name}
          onRename={(name) => renameTeam(team.id, name)}
          onClose={() => setIsRenaming(false)}
        />
      )}
      {isInviting && <InviteDrawer team={team} onClose={() => setIsInviting(false)} />}
    </DashboardPage>
  )
}

function MemberList({ team }: { readonly team: Owner }) {
  const { t } = useTranslation('team')
  const { data, error, isPending } = useQuery(membersQuery(team.id))
  if (error) return <Notice tone="bad">{error.message}</Notice>
  return (
    <Card>
      {isPending && <RowsSkeleton />}
      {data && (
        <ul className="divide-y" aria-label={t('members.title')}>
          {data.map((member) => (
            <MemberRow key={member.id} team={team} member={member} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Deletion({ team }: { readonly team: Owner }) {
  const { t } = useTranslation('team')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-0 flex-1 basis-56 text-[13px] text-pretty text-muted">{t('members.deleteText')}</p>
      <AskOnce
        label={t('members.delete')}
        name={t('members.deleteOne', { name: team.name })}
        question={t('members.deleteAsk')}
        onYes={async () => {
          await deleteTeam(team.id)
          location.reload()
        }}
      />
    </div>
  )
}
