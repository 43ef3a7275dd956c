import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

interface CopyableProps {
  readonly label: string
  readonly text: string
  /** What the button is called for those who hear it; the label, unless given. */
  readonly name?: string
}

/** Text to be taken elsewhere. One click selects all of it, also where the browser lets no page copy. */
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

/** Over plain HTTP browsers have no clipboard for pages. */
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
