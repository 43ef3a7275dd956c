import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { type ImportOutcome, importPresets } from './import-presets.ts'

/** Imports presets from a file. */
export function ImportButton({ onOutcome }: { onOutcome(outcome: ImportOutcome | 'wrong'): void }) {
  const { t } = useTranslation('presets')
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const take = async (file: File) => {
    setIsBusy(true)
    try {
      onOutcome(await importPresets(file))
    } catch (cause) {
      onOutcome({ imported: 0, known: 0, refused: [{ name: file.name, reason: messageOf(cause) }] })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void take(file)
          // Allows choosing the same file again.
          target.value = ''
        }}
      />
      <Button disabled={isBusy} onClick={() => input.current?.click()}>
        <Upload size={16} aria-hidden />
        {t('presets.import')}
      </Button>
    </>
  )
}
