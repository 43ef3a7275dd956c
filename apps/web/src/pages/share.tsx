import type { Job, TaskFile } from '@lathe/contract'
import { createTransport } from '@lathe/sdk'
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { load } from '../api/client.ts'
import { statusOf } from '../api/errors.ts'
import { ownFetch } from '../api/own-fetch.ts'
import { ownPath } from '../api/own-path.ts'
import { readShareMark, type ShareMark } from '../converter/tools/share-link.ts'
import { useFormats } from '../lib/formats.ts'
import { wait } from '../lib/wait.ts'
import type { Get } from '../previews/load-preview.ts'
import { Preview } from '../previews/preview.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { FileTile } from '../ui/file-tile.tsx'

const lookEveryMs = 1000

interface Shared {
  readonly taskId: string
  readonly get: Get
  readonly files: readonly TaskFile[]
  /** The URL of a ZIP of all files, or of the only file. */
  readonly path: string
  readonly expiresAt: string
}

type Found = Shared | 'over' | 'unreachable'

/** `/share#…`: shared files, for anyone with the link. */
export function SharePage() {
  const { t } = useTranslation('tools')
  const [tries, setTries] = useState(0)
  const found = useShared(tries)
  return (
    <div className="mx-auto max-w-xl px-4 py-10 sm:px-6">
      <title>{t('shared.documentTitle')}</title>
      <h1 className="text-[26px] leading-tight font-semibold tracking-tight">{t('shared.title')}</h1>
      {found === undefined && <div className="skeleton mt-6 h-32" aria-hidden="true" />}
      {found === 'over' && <p className="mt-3 text-pretty text-muted">{t('shared.over')}</p>}
      {found === 'unreachable' && (
        <div className="mt-3 grid justify-items-start gap-3">
          <p className="text-pretty text-muted">{t('shared.unreachable')}</p>
          <Button onClick={() => setTries(tries + 1)}>{t('shared.again')}</Button>
        </div>
      )}
      {typeof found === 'object' && <Files {...found} />}
    </div>
  )
}

function Files({ taskId, get, files, path, expiresAt }: Shared) {
  const { t } = useTranslation('tools')
  const formats = useFormats()
  return (
    <>
      <p className="num mt-1.5 text-muted">{t('shared.until', { time: formats.exact(new Date(expiresAt)) })}</p>
      <ul className="mt-6 rounded-card border bg-surface shadow-card">
        {files.map(({ filename = '', size, url }, n) => (
          <li key={url ?? filename} className="flex items-center gap-3 border-t px-4 py-2.5 first:border-t-0">
            <Preview taskId={taskId} file={n} name={filename} get={get}>
              <FileTile ext={filename.split('.').at(-1) ?? ''} />
            </Preview>
            <span className="min-w-0 flex-1 truncate font-medium" title={filename}>
              <bdi>{filename}</bdi>
            </span>
            <span className="num text-[13px] text-muted">{formats.bytes(size)}</span>
            {url && (
              <a
                href={ownPath(url)}
                download
                aria-label={t('shared.download', { name: filename })}
                className={buttonClass('ghost', 'icon')}
              >
                <Download size={17} aria-hidden />
              </a>
            )}
          </li>
        ))}
      </ul>
      {files.length > 1 && (
        <a href={path} download className={`${buttonClass('primary')} mt-4`}>
          <Download size={16} aria-hidden />
          {t('shared.all')}
        </a>
      )}
    </>
  )
}

function useShared(tries: number): Found | undefined {
  const [found, setFound] = useState<Found>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again.
  useEffect(() => {
    const stop = new AbortController()
    const mark = readShareMark(location.hash)
    setFound(undefined)
    if (!mark) return setFound('over')
    readShared(mark, stop.signal).then(setFound, (cause: unknown) => {
      if (stop.signal.aborted) return
      const status = statusOf(cause)
      setFound(status === 401 || status === 403 || status === 404 ? 'over' : 'unreachable')
    })
    return () => stop.abort()
  }, [tries])
  return found
}

/** Uses only the token of the link, even if a user is signed in. Waits until the files are ready. */
async function readShared({ jobId, token }: ShareMark, signal: AbortSignal): Promise<Found> {
  const get = getWith(token)
  for (;;) {
    const response = await get(`/v1/process/jobs/${jobId}`, signal)
    const { tasks = [] } = (await response.json()) as Job
    const [task] = tasks
    if (task?.status === 'completed' && task.result.url) {
      const { files = [], url, expiresAt = '' } = task.result
      return { taskId: task.id, get, files, path: ownPath(url), expiresAt }
    }
    if (!task || task.endedAt !== null) return 'over'
    await wait(lookEveryMs, signal)
  }
}

/** Requests with the token of the link. */
function getWith(token: string) {
  const transport = createTransport({ baseUrl: location.origin, key: token, fetch: ownFetch })
  return (path: string, signal?: AbortSignal) => load(transport, path, signal ? { signal } : {})
}
