import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

interface CopyableProps {
  readonly label: string
  readonly text: string
  /** The accessible name of the button; defaults to the label. */
  readonly name?: string
}

/** Text to copy. One click selects all of it, even if the browser does not allow the page to copy. */
export function Copyable({ label, text, name }: CopyableProps) {
  const { t } = useTranslation('dashboard')
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <span className="text-[13px] font-medium">{label}</span>
        <CopyButton text={text} name={name ?? t('common.copyOne', { what: label })} />
      </div>
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-control bg-sunken px-3 py-2.5 font-mono text-[13px] break-all whitespace-pre-wrap select-all"
      >
        {text}
      </pre>
    </div>
  )
}

/** Browsers have no clipboard API over plain HTTP. */
function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const { t } = useTranslation('dashboard')
  const [isCopied, setIsCopied] = useState(false)
  if (!window.isSecureContext) return null
  const copy = () => void navigator.clipboard.writeText(text).then(() => setIsCopied(true))
  return (
    <Button look="ghost" size="small" onClick={copy} aria-label={name}>
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span aria-live="polite">{isCopied ? t('common.copied') : t('common.copy')}</span>
    </Button>
  )
}
