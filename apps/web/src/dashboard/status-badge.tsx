import type { Task } from '@lathe/contract'
import { Check, CircleAlert, CircleSlash, Clock, LoaderCircle, type LucideIcon, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../ui/badge.tsx'

type Status = Task['status']

const looks: Readonly<Record<Status, { readonly tone: Tone; readonly icon: LucideIcon }>> = {
  created: { tone: 'plain', icon: Clock },
  processing: { tone: 'info', icon: LoaderCircle },
  completed: { tone: 'ok', icon: Check },
  failed: { tone: 'bad', icon: CircleAlert },
  canceled: { tone: 'plain', icon: CircleSlash },
  deleted: { tone: 'plain', icon: Trash2 },
}

/** The status of a job or task: a word, with a color and an icon. */
export function StatusBadge({ status, note }: { readonly status: Status; readonly note?: string | undefined }) {
  const { t } = useTranslation('dashboard')
  const { tone, icon: Icon } = looks[status]
  return (
    <Badge tone={tone}>
      <Icon size={13} aria-hidden className="shrink-0" />
      {[t(`status.${status}`), note].filter(Boolean).join(' · ')}
    </Badge>
  )
}
