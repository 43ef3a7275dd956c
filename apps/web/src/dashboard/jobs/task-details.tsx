import type { Task } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ownPath } from '../../api/own-path.ts'
import { useFormats } from '../../lib/formats.ts'
import { getOwn } from '../../previews/get-own.ts'
import { Preview } from '../../previews/preview.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { FileTile } from '../../ui/file-tile.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dotted } from '../dotted.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { describeTask } from './describe-job.ts'
import { useFailureText } from './failure-text.ts'
import { numbered } from './numbered.ts'
import { wholeTaskQuery } from './queries.ts'

interface TaskDetailsProps {
  readonly task: Task
  readonly isOpen: boolean
  onToggle(isOpen: boolean): void
}

/** All facts about a task: its request, its result, and what to do if it failed. */
export function TaskDetails({ task: shown, isOpen, onToggle }: TaskDetailsProps) {
  const { data: task = shown } = useQuery(wholeTaskQuery(shown))
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const size = (task.result.files ?? []).reduce((sum, file) => sum + file.size, 0)
  const place = task.queue?.position
  const position = place ? t('job.position', { position: formats.count(place) }) : undefined
  return (
    <li id={`task-${task.id}`}>
      <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)} className="group">
        <summary className="flex list-none items-center gap-3 px-5 py-3.5 -outline-offset-2 hover:bg-sunken/50 [&::-webkit-details-marker]:hidden">
          <ChevronDown
            size={16}
            aria-hidden
            className="shrink-0 -rotate-90 text-muted transition-transform duration-150 group-open:rotate-0 rtl:rotate-90 rtl:group-open:rotate-0"
          />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate font-medium">{task.name}</bdi>
            <span className="num block truncate text-[13px] text-muted">
              <Dotted parts={[describeTask(task), size > 0 && formats.bytes(size), position]} />
            </span>
          </span>
          <StatusBadge status={task.status} />
        </summary>
        <div className="grid grid-cols-1 gap-4 px-5 pt-2 pb-5 sm:ps-12">
          <Failure task={task} />
          <Results task={task} isOpen={isOpen} />
          <Payload payload={task.payload} />
        </div>
      </details>
    </li>
  )
}

function Failure({ task }: { readonly task: Task }) {
  const text = useFailureText(task)
  return text === undefined ? null : <Notice tone="bad">{text}</Notice>
}

function Results({ task: { id, result }, isOpen }: Pick<TaskDetailsProps, 'task' | 'isOpen'>) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const { files = [], exported = [], warnings = [] } = result
  return (
    <>
      {warnings.map((text) => (
        <Notice key={text} tone="warn">
          {text}
        </Notice>
      ))}
      {files.length + exported.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-[13px] font-medium">{t('job.results')}</h3>
          <ul className="divide-y rounded-card border">
            {numbered(files).map(({ key, ...file }, n) => (
              <li key={key} className="flex items-center gap-3 px-3.5 py-2.5">
                {/* Browsers count closed details as seen. */}
                {file.url && isOpen && (
                  <Preview taskId={id} file={n} name={file.filename ?? ''} get={getOwn}>
                    <FileTile ext={file.filename?.split('.').at(-1) ?? ''} />
                  </Preview>
                )}
                <div className="min-w-0 flex-1">
                  <bdi className="block truncate">{file.filename}</bdi>
                  <span className="num block truncate text-[13px] text-muted">
                    {formats.bytes(file.size)} ·{' '}
                    <code dir="ltr" title={file.sha256} className="font-mono text-xs">
                      SHA-256 {file.sha256.slice(0, 12)}…
                    </code>
                  </span>
                </div>
                {file.url ? (
                  <a
                    href={ownPath(file.url)}
                    download
                    className={buttonClass('plain', 'small')}
                    aria-label={t('job.downloadOne', { name: file.filename ?? '' })}
                  >
                    <Download size={16} aria-hidden />
                    {t('job.download')}
                  </a>
                ) : (
                  <span className="text-[13px] text-muted">{t('job.expired')}</span>
                )}
              </li>
            ))}
            {exported.map(({ path, size }) => (
              <li key={path} className="flex items-center gap-3 px-3.5 py-2.5">
                <bdi className="min-w-0 flex-1 truncate font-mono text-[13px]">{path}</bdi>
                <span className="num text-[13px] text-muted">{formats.bytes(size)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function Payload({ payload }: { readonly payload: Task['payload'] }) {
  const { t } = useTranslation('dashboard')
  if (Object.keys(payload).length === 0) return null
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 text-[13px] font-medium">{t('job.payload')}</h3>
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-control bg-sunken px-3 py-2.5 font-mono text-[13px] break-all whitespace-pre-wrap"
      >
        {JSON.stringify(payload, null, 2)}
      </pre>
    </div>
  )
}
