import type { Task } from '@lathe/contract'
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownPath } from '../api/own-path.ts'
import { useFormats } from '../lib/formats.ts'
import { useRun } from '../operations/use-run.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { showStepAfter } from './first-run.ts'
import { makeSample } from './make-sample.ts'
import { StepFrame } from './step-frame.tsx'

const target = 'webp'
// A sample takes a second or two where workers are running.
const patienceMs = 15_000

/** Converts a sample with the service as it is, to show that all its parts work together. */
export function SampleStep() {
  const { t } = useTranslation('firstRun')
  const { state, run, cancel } = useRun()
  const [sample, setSample] = useState<File>()
  const [tookMs, setTookMs] = useState(0)
  const convert = async () => {
    const file = await makeSample()
    const startedAt = performance.now()
    setSample(file)
    await run({ operation: 'convert', files: [file], roles: {}, fields: { output_format: target } })
    setTookMs(performance.now() - startedAt)
  }
  const leave = () => {
    cancel()
    showStepAfter('sample')
  }
  const isRunning = state.stage === 'running'
  const task = state.stage === 'ended' ? state.task : undefined
  const isDone = task?.status === 'completed'
  return (
    <StepFrame
      step="sample"
      actions={
        <>
          {!isDone && (
            <Button look="ghost" size="large" onClick={leave}>
              {t('actions.skip')}
            </Button>
          )}
          <Button
            look="primary"
            size="large"
            disabled={isRunning}
            onClick={isDone ? leave : () => void convert().catch(() => undefined)}
          >
            {isDone ? t('actions.continue') : state.stage === 'idle' ? t('sample.convert') : t('sample.again')}
          </Button>
        </>
      }
    >
      {isRunning && <Running share={state.share} />}
      <div role="status" className="empty:hidden">
        {isDone && sample && <Done task={task} sample={sample} tookMs={tookMs} />}
        {(state.stage === 'failed' || (task && !isDone)) && (
          <Notice tone="bad">
            <p>{t('sample.failed')}</p>
            <p className="mt-1.5">
              <bdi>{state.stage === 'failed' ? state.msg : task?.result.msg}</bdi>
            </p>
          </Notice>
        )}
      </div>
    </StepFrame>
  )
}

function Running({ share }: { readonly share: number }) {
  const { t } = useTranslation('firstRun')
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setIsLate, patienceMs, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid gap-4">
      <ProgressBar label={t('sample.progress')} value={share} />
      {isLate && <Notice tone="warn">{t('sample.late')}</Notice>}
    </div>
  )
}

interface DoneProps {
  readonly task: Task
  readonly sample: File
  readonly tookMs: number
}

function Done({ task, sample, tookMs }: DoneProps) {
  const { t } = useTranslation('firstRun')
  const formats = useFormats()
  const { size = 0, filename = '', url = '' } = task.result.files?.[0] ?? {}
  const seconds = formats.count(Math.round(tookMs / 100) / 10)
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 rounded-card border p-4 sm:grid-cols-[160px_minmax(0,1fr)]">
      <img src={ownPath(url)} alt={t('sample.result')} className="w-full rounded-control bg-sunken" />
      <div className="grid min-w-0 content-start gap-1.5">
        <p className="truncate font-medium">
          <bdi>{filename}</bdi>
        </p>
        <p className="num text-[13px] text-muted">
          {t('sample.sizes', { before: formats.bytes(sample.size), after: formats.bytes(size) })}
        </p>
        <p className="num text-[13px] text-ok">{t('sample.took', { seconds })}</p>
        <a href={ownPath(url)} download className={`${buttonClass()} mt-2 justify-self-start`}>
          <Download size={16} aria-hidden />
          {t('sample.download')}
        </a>
      </div>
    </div>
  )
}
