import { Upload, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../lib/formats.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'

interface FileFieldProps {
  readonly label: string
  readonly hint?: string
  /** The allowed extensions; all if empty. */
  readonly formats?: readonly string[]
  readonly isMultiple?: boolean
  readonly files: readonly File[]
  onChange(files: readonly File[]): void
}

/** Selects files from this device and lists them. */
export function FileField({ label, hint, formats = [], isMultiple = false, files, onChange }: FileFieldProps) {
  const { t } = useTranslation('operations')
  const sizes = useFormats()
  const id = useId()
  const take = (chosen: FileList | null) => onChange(isMultiple ? [...files, ...(chosen ?? [])] : [...(chosen ?? [])])
  return (
    <div className="grid grid-cols-1 gap-2">
      <span id={`${id}-label`} className="font-medium">
        <bdi>{label}</bdi>
      </span>
      {hint && (
        <p className="text-[13px] text-pretty text-muted">
          <bdi>{hint}</bdi>
        </p>
      )}
      {files.length > 0 && (
        <ul className="rounded-card border bg-surface">
          {files.map((file, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice, and places do not change.
            <li key={n} className="flex items-center gap-3 border-t ps-4 pe-1.5 first:border-t-0">
              <span className="min-w-0 flex-1 truncate py-1.5" title={file.name}>
                <bdi>{file.name}</bdi>
              </span>
              <span className="num text-[13px] text-muted">{sizes.bytes(file.size)}</span>
              <Button
                look="ghost"
                size="icon"
                aria-label={t('operationForm.remove', { name: file.name })}
                onClick={() => onChange(files.filter((_, other) => other !== n))}
              >
                <X size={16} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {(isMultiple || files.length === 0) && (
        <label
          className={classes(
            buttonClass(),
            'justify-self-start focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
          )}
        >
          <Upload size={16} aria-hidden />
          {isMultiple ? t('operationForm.choose') : t('operationForm.chooseOne')}
          <input
            type="file"
            className="sr-only"
            aria-labelledby={`${id}-label`}
            multiple={isMultiple}
            {...(formats.length > 0 && { accept: formats.map((ext) => `.${ext}`).join(',') })}
            onChange={({ target }) => {
              take(target.files)
              // Allows choosing the same file again.
              target.value = ''
            }}
          />
        </label>
      )}
    </div>
  )
}
