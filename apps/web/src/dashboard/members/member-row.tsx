import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../api/errors.ts'
import { useStore } from '../../lib/store.ts'
import { type Owner, type Role, sessionStore } from '../../session/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { inputClass } from '../../ui/field.tsx'
import { AskOnce } from '../ask-once.tsx'
import { type Member, removeMember, setRole } from './queries.ts'
import { rolesFor } from './roles.ts'

interface MemberRowProps {
  readonly team: Owner
  readonly member: Member
}

/** One member: name, role, and a button to remove them. */
export function MemberRow({ team, member }: MemberRowProps) {
  const { t } = useTranslation('team')
  const selfId = useStore(sessionStore, (now) => now?.user?.id)
  const isSelf = member.id === selfId
  const mayManage = rolesFor(team.role).includes(member.role)
  const { id, name, email } = member
  const go = async () => {
    await removeMember(team.id, id)
    if (isSelf) location.reload()
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">
          <bdi>{name}</bdi> {isSelf && <span className="font-normal text-muted">{t('members.you')}</span>}
        </p>
        {email && (
          <p className="truncate text-[13px] text-muted">
            <bdi>{email}</bdi>
          </p>
        )}
      </div>
      {mayManage ? <RolePicker team={team} member={member} /> : <Badge>{t(`roles.${member.role}`)}</Badge>}
      {(isSelf || mayManage) && (
        <AskOnce
          label={isSelf ? t('members.leave') : t('members.remove')}
          name={isSelf ? t('members.leaveOne', { name: team.name }) : t('members.removeOne', { name })}
          question={isSelf ? t('members.leaveAsk') : t('members.removeAsk')}
          onYes={go}
        />
      )}
    </li>
  )
}

function RolePicker({ team, member }: MemberRowProps) {
  const { t } = useTranslation('team')
  const [fault, setFault] = useState<string>()
  const change = (role: Role) => {
    setFault(undefined)
    setRole(team.id, member.id, role).catch((cause) => setFault(messageOf(cause)))
  }
  return (
    <>
      <select
        aria-label={t('members.roleOf', { name: member.name })}
        value={member.role}
        onChange={({ target }) => change(target.value as Role)}
        className={`${inputClass} !w-auto`}
      >
        {rolesFor(team.role).map((role) => (
          <option key={role} value={role}>
            {t(`roles.${role}`)}
          </option>
        ))}
      </select>
      {fault && (
        <p role="alert" className="basis-full text-[13px] text-bad">
          {fault}
        </p>
      )}
    </>
  )
}
