import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/notice.tsx'
import { routeQuery } from '../queries.ts'

interface RouteNotesProps {
  readonly sources: readonly string[]
  readonly target: string
}

/** Shows the steps of an indirect conversion and what may be lost. */
export function RouteNotes({ sources, target }: RouteNotesProps) {
  const { t } = useTranslation('list')
  const answers = useQueries({ queries: sources.map((source) => routeQuery(source, target)) })
  return answers.map(({ data }) => {
    if (!data || data.direct) return null
    const formats = [data.from, ...data.steps.map(({ to }) => to)]
    const losses = new Set(data.steps.flatMap(({ loses }) => loses ?? []))
    return (
      <Notice key={data.from} tone="info">
        <p>
          {t('options.steps')}{' '}
          <bdi dir="ltr" className="inline-block">
            {formats.map((ext) => ext.toUpperCase()).join(' → ')}
          </bdi>
        </p>
        {[...losses].map((loss) => (
          <p key={loss} className="mt-1 text-[13px]">
            {loss}
          </p>
        ))}
      </Notice>
    )
  })
}
