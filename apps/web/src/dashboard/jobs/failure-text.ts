import type { Task } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { knownTroubles } from '../../converter/troubles.ts'

/** Why a task failed and what to do, in words of the page where it has them, with those of the service behind. */
export function useFailureText(task: Task | undefined): string | undefined {
  const { t } = useTranslation()
  if (task?.status !== 'failed') return undefined
  const { reason, errorCode, msg } = task.result
  const known = knownTroubles.find((one) => one === (reason ?? errorCode))
  const text = known && t(`codes.${known}`, { ns: 'list' })
  return [text, msg].filter(Boolean).join(' ') || errorCode
}

/** The task that a job failed by: the first that had all it needed. */
export function findCause(tasks: readonly Task[]): Task | undefined {
  const failed = new Set(tasks.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id))
  return tasks.find(({ status, dependsOn }) => status === 'failed' && !dependsOn.some((id) => failed.has(id)))
}
