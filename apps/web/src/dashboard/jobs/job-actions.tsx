import type { Job } from '@lathe/contract'
import { useNavigate } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AskOnce } from '../ask-once.tsx'
import { cancelJob, deleteJob, runAgain } from './queries.ts'

/** The actions for a job in its current status. */
export function JobActions({ job }: { readonly job: Job }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      const { id } = await runAgain(job.id)
      await navigate({ to: '/jobs/$jobId', params: { jobId: id } })
    },
    ({ errors }) => errors.map(({ path, msg }) => `${path}: ${msg}`).join(' ') || undefined,
  )
  const isOpen = (job.tasks ?? []).some(({ status }) => status === 'created' || status === 'processing')
  return (
    <>
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
        {isOpen && (
          <AskOnce
            label={t('job.cancel')}
            name={t('job.cancel')}
            question={t('job.cancelAsk')}
            onYes={() => cancelJob(job)}
          />
        )}
        <AskOnce
          label={t('job.delete')}
          name={t('job.delete')}
          question={t('job.deleteAsk')}
          onYes={() => deleteJob(job)}
        />
        <Button type="submit" disabled={isBusy}>
          <RotateCw size={16} aria-hidden />
          {t('job.again')}
        </Button>
      </form>
      {fault && (
        <div className="basis-full">
          <Notice tone="bad">{fault}</Notice>
        </div>
      )}
    </>
  )
}
