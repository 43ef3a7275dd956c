import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '../ui/classes.ts'
import { Logo } from '../ui/logo.tsx'
import { type FirstRunStep, firstRunSteps } from './first-run.ts'

interface StepFrameProps {
  readonly step: FirstRunStep
  readonly children: ReactNode
  /** The buttons that lead on, the primary one last. */
  readonly actions: ReactNode
}

/** One step of the first run: where it is among the others, its content, and how to go on. */
export function StepFrame({ step, children, actions }: StepFrameProps) {
  const { t } = useTranslation('firstRun')
  const heading = useRef<HTMLHeadingElement>(null)
  // Screen readers announce the new step, and Tab goes on from its beginning.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="mx-auto grid max-w-[600px] px-4 pt-[5vh] pb-16">
      <title>{`${t(`steps.${step}`)} · Lathe`}</title>
      <div className="grid min-w-0 grid-cols-1 gap-6 rounded-panel border bg-surface px-5 py-7 shadow-card sm:px-8">
        <div>
          <Logo />
          <Progress step={step} />
          <h1
            ref={heading}
            tabIndex={-1}
            className="mt-5 text-[22px] leading-tight font-semibold tracking-tight outline-none"
          >
            {t(`title.${step}`)}
          </h1>
          <p className="mt-1.5 text-pretty text-muted">{t(`text.${step}`)}</p>
        </div>
        {children}
        <div className="flex flex-wrap items-center justify-end gap-2 max-sm:flex-col-reverse max-sm:items-stretch">
          {actions}
        </div>
      </div>
    </div>
  )
}

function Progress({ step: current }: { readonly step: FirstRunStep }) {
  const { t } = useTranslation('firstRun')
  const place = firstRunSteps.indexOf(current)
  return (
    <ol aria-label={t('steps.label')} className="mt-5 grid grid-cols-3 gap-2">
      {firstRunSteps.map((step, n) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          className={classes(
            'border-t-2 pt-1.5 text-[13px]',
            n <= place ? 'border-accent' : 'border-line',
            step === current ? 'font-medium' : 'text-muted',
          )}
        >
          <span className="num">{n + 1}</span> {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  )
}
