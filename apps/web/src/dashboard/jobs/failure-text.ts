import type { Task } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { knownTroubles } from '../../converter/troubles.ts'

/** Why a task failed and what to do: the page's translation if there is one, followed by the service's message. */
export function useFailureText(task: Task | undefined): string | undefined {
  const { t } = useTranslation()
  if (task?.status !== 'failed') return undefined
  const { reason, errorCode, msg } = task.result
  const known = knownTroubles.find((one) => one === (reason ?? errorCode))
  const text = known && t(`codes.${known}`, { ns: 'list' })
  return [text, msg].filter(Boolean).join(' ') || errorCode
}

/** The task that made a job fail: the first one that had all its inputs. */
export function findCause(tasks: readonly Task[]): Task | undefined {
  const failed = new Set(tasks.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id))
  return tasks.find(({ status, dependsOn }) => status === 'failed' && !dependsOn.some((id) => failed.has(id)))
}
