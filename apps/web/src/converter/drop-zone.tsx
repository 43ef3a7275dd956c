import { FilePlus2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadSettings } from '../api/settings.ts'
import { useFormats } from '../lib/formats.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { type Found, filesOf, filesOfTransfer } from './found-files.ts'

const AddressForm = lazy(async () => ({ default: (await import('./address-form.tsx')).AddressForm }))

// Contains all formats, which is much to load before a file is added.
const adding = () => import('./adding.ts')
const addFiles = async (found: readonly Found[]) => (await adding()).addFiles(found)
const addAddress = async (address: string) => (await adding()).addAddress(address)

interface DropZoneProps {
  readonly isSmall: boolean
  /** The user is about to add files. */
  onIntent(): void
}

/** Accepts files by drop, file picker, paste and URL. The whole window is the drop target. */
export function DropZone({ isSmall, onIntent }: DropZoneProps) {
  const { t } = useTranslation()
  const isOver = useDropAndPaste(onIntent)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [asksAddress, setAsksAddress] = useState(false)
  const formats = useFormats()
  const limit = useLimit()
  return (
    <section
      aria-label={t('drop.label')}
      data-over={isOver || undefined}
      className={classes(
        'mt-6 rounded-panel border-[1.5px] border-dashed border-line-strong bg-surface transition-colors duration-150 data-over:border-accent data-over:bg-accent-soft',
        isSmall ? 'px-5 py-4 max-sm:mt-3 max-sm:px-3 max-sm:py-2' : 'px-6 py-16 text-center sm:py-28',
      )}
    >
      <div
        className={classes(
          'flex gap-x-4 gap-y-3',
          isSmall ? 'flex-wrap items-center justify-between' : 'flex-col items-center',
        )}
      >
        {!isSmall && <FilePlus2 size={28} strokeWidth={1.5} aria-hidden className="text-accent" />}
        <div className="min-w-0">
          <p className={classes('font-semibold', !isSmall && 'text-[17px] tracking-tight')}>
            {isOver ? t('drop.now') : isSmall ? t('drop.more') : t('drop.title')}
          </p>
          <p className={classes('mt-0.5 text-[13px] text-pretty text-muted', isSmall && 'max-sm:hidden')}>
            {t('drop.hint')}
            {limit !== undefined && ` ${t('drop.limit', { size: formats.bytes(limit) })}`}
          </p>
        </div>
        <div className={classes('flex flex-wrap gap-2', !isSmall && 'mt-3 justify-center')}>
          <Button
            look={isSmall ? 'plain' : 'primary'}
            size={isSmall ? 'medium' : 'large'}
            onPointerEnter={onIntent}
            onFocus={onIntent}
            onClick={() => files.current?.click()}
          >
            {t('drop.choose')}
          </Button>
          {/* Phones cannot choose folders. */}
          <Button
            look="plain"
            size={isSmall ? 'medium' : 'large'}
            className="pointer-coarse:max-sm:hidden"
            onClick={() => folder.current?.click()}
          >
            {t('drop.folder')}
          </Button>
          <Button
            look="ghost"
            size={isSmall ? 'medium' : 'large'}
            aria-expanded={asksAddress}
            onClick={() => setAsksAddress(!asksAddress)}
          >
            {t('drop.address')}
          </Button>
        </div>
      </div>
      {asksAddress && (
        <Suspense fallback={null}>
          <AddressForm
            onAddress={(address) => {
              void addAddress(address)
              setAsksAddress(false)
            }}
          />
        </Suspense>
      )}
      <FileInput input={files} onFiles={(found) => void addFiles(found)} label={t('drop.choose')} />
      <FileInput input={folder} onFiles={(found) => void addFiles(found)} label={t('drop.folder')} isFolder />
    </section>
  )
}

interface FileInputProps {
  readonly input: React.RefObject<HTMLInputElement | null>
  readonly label: string
  readonly isFolder?: boolean
  onFiles(found: readonly Found[]): void
}

function FileInput({ input, label, isFolder = false, onFiles }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label={label}
      {...(isFolder && { webkitdirectory: '' })}
      onChange={({ target }) => {
        onFiles(filesOf(target.files))
        // Allows choosing the same file again.
        target.value = ''
      }}
    />
  )
}

/** The largest file the service accepts, once known. */
function useLimit(): number | undefined {
  const [limit, setLimit] = useState<number>()
  useEffect(() => {
    loadSettings().then(
      ({ maxFileBytes }) => setLimit(maxFileBytes),
      () => undefined,
    )
  }, [])
  return limit
}

/** Handles drag, drop and paste on the window. True while files are dragged over it. */
function useDropAndPaste(onIntent: () => void): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    // A link of this page that is dragged is not meant for the list.
    let isOwn = false
    window.addEventListener('dragstart', () => (isOwn = true), { signal })
    window.addEventListener('dragend', () => (isOwn = false), { signal })
    const hasFiles = ({ dataTransfer }: DragEvent) =>
      !isOwn && dataTransfer?.types.some((type) => type === 'Files' || type === 'text/uri-list') === true
    window.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        onIntent()
        setIsOver(true)
      },
      { signal },
    )
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && setIsOver(false), { signal })
    window.addEventListener(
      'drop',
      (event) => {
        if (!event.dataTransfer || !hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        void takeTransfer(event.dataTransfer, 'text/uri-list')
      },
      { signal },
    )
    window.addEventListener('paste', (event) => void takePaste(event), { signal })
    return () => stop.abort()
  }, [onIntent])
  return isOver
}

async function takePaste(event: ClipboardEvent): Promise<void> {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
  if (isTyping || !event.clipboardData) return
  await takeTransfer(event.clipboardData, 'text/plain')
}

/** Adds files, or without any, the URL that is there instead. */
async function takeTransfer(transfer: DataTransfer, type: string): Promise<void> {
  const text = transfer.getData(type).trim()
  const found = await filesOfTransfer(transfer)
  if (found.length > 0) await addFiles(found)
  else if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)) await addAddress(text)
}
