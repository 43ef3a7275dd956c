import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actFor } from '../../team/act-for.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { NameField } from '../name-field.tsx'
import { createTeam, teamsQuery } from './queries.ts'

/** The teams of a user who acts for themselves. */
export function Teams() {
  const { t } = useTranslation('team')
  const [isMaking, setIsMaking] = useState(false)
  const make = (
    <Button look="primary" onClick={() => setIsMaking(true)}>
      <Plus size={16} aria-hidden />
      {t('teams.create')}
    </Button>
  )
  return (
    <DashboardPage title={t('teams.title')} text={t('teams.text')} action={make}>
      <TeamList />
      {isMaking && <NewTeam onClose={() => setIsMaking(false)} />}
    </DashboardPage>
  )
}

function TeamList() {
  const { t } = useTranslation('team')
  const { data, error, isPending } = useQuery(teamsQuery)
  if (error) return <Notice tone="bad">{error.message}</Notice>
  return (
    <Card>
      {isPending && <RowsSkeleton />}
      {data?.length === 0 && <Empty title={t('teams.none')} text={t('teams.noneText')} />}
      {data && data.length > 0 && (
        <ul className="divide-y">
          {data.map(({ id, name, role, members }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4">
              <div className="min-w-0 flex-1 basis-56">
                <p className="truncate font-medium">
                  <bdi>{name}</bdi>
                </p>
                <p className="text-[13px] text-muted">{t('teams.members', { count: members })}</p>
              </div>
              <Badge>{t(`roles.${role}`)}</Badge>
              <Button size="small" aria-label={t('teams.openOne', { name })} onClick={() => void actFor(id)}>
                {t('teams.open')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function NewTeam({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('team')
  const [name, setName] = useState('')
  const create = async () => actFor((await createTeam(name)).id)
  return (
    <Drawer title={t('teams.create')} onClose={onClose}>
      <DrawerForm label={t('teams.create')} isReady={name.trim() !== ''} onSubmit={create}>
        <NameField label={t('teams.name')} value={name} onChange={setName} />
      </DrawerForm>
    </Drawer>
  )
}
