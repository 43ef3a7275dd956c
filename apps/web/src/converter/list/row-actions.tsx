import { Crop, Download, Eye, Images, RotateCcw, Scissors, SlidersHorizontal, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { canSendAgain, withoutExpiredImport } from '../expiry.ts'
import { type Item, isOpen, withoutOutcome } from '../item.ts'
import { lookUp } from '../look-up.ts'
import { takeApart } from '../merging.ts'
import { OptionsDialog } from '../options/options-dialog.tsx'
import { ResultButton } from '../results/result-button.tsx'
import { cancel, convert, remove } from '../running.ts'
import { changeItem, choose, optionsOf, replaceItems, targetOf, useChoices } from '../state.ts'
import { canCrop, canTrim } from '../tools/can-edit.ts'
import { CropDialog, TrimDialog } from '../tools/tools.tsx'
import { canCompare } from './can-compare.ts'

const Compare = lazy(async () => ({ default: (await import('./compare.tsx')).Compare }))

const dialogs = { options: ItemOptions, compare: Compare, crop: CropDialog, trim: TrimDialog }

interface RowActionsProps {
  readonly item: Item
  readonly isExpired: boolean
}

/** The actions for a file in its current stage. */
export function RowActions({ item, isExpired }: RowActionsProps) {
  const { t } = useTranslation('list')
  const [shown, setShown] = useState<keyof typeof dialogs>()
  const Dialog = shown && dialogs[shown]
  const { name } = item
  const isMerged = item.parts !== undefined
  return (
    <>
      {item.stage === 'staged' && item.source !== '' && item.kind !== 'page' && (
        <Action label={t('row.options', { name })} onClick={() => setShown('options')}>
          <SlidersHorizontal size={17} aria-hidden />
        </Action>
      )}
      {canCrop(item) && (
        <Action label={t('row.crop', { name })} isOn={item.edits?.crop !== undefined} onClick={() => setShown('crop')}>
          <Crop size={17} aria-hidden />
        </Action>
      )}
      {canTrim(item) && (
        <Action label={t('row.trim', { name })} isOn={item.edits?.trim !== undefined} onClick={() => setShown('trim')}>
          <Scissors size={17} aria-hidden />
        </Action>
      )}
      {item.stage === 'done' && !isExpired && (
        <ResultButton
          item={item}
          aria-label={t('row.show', { name })}
          title={t('row.show', { name })}
          className={buttonClass('ghost', 'icon')}
        >
          <Eye size={17} aria-hidden />
        </ResultButton>
      )}
      {canCompare(item) && !isExpired && (
        <Action label={t('row.compare', { name })} onClick={() => setShown('compare')}>
          <Images size={17} aria-hidden />
        </Action>
      )}
      {isEnded(item) && isMerged && !isExpired && (
        <Action label={t('row.apart', { name })} onClick={() => takeApart(item.id)}>
          <RotateCcw size={17} aria-hidden />
        </Action>
      )}
      {!isMerged && (item.stage === 'failed' || item.stage === 'canceled') && !isHopeless(item) && (
        <>
          {item.source !== '' && (
            <Action label={t('row.other', { name })} onClick={() => stageAgain(item.id)}>
              <SlidersHorizontal size={17} aria-hidden />
            </Action>
          )}
          <Action label={t('row.again', { name })} onClick={() => void again(item)}>
            <RotateCcw size={17} aria-hidden />
          </Action>
        </>
      )}
      {item.stage === 'done' && (
        <>
          {!isMerged && (!isExpired || canSendAgain(item)) && (
            <Action label={t('row.other', { name })} onClick={() => stageAgain(item.id)}>
              <RotateCcw size={17} aria-hidden />
            </Action>
          )}
          {!isExpired && (
            <a
              href={item.result?.path}
              download
              aria-label={t('row.download', { name })}
              title={t('row.download', { name })}
              className={buttonClass('ghost', 'icon')}
            >
              <Download size={17} aria-hidden />
            </a>
          )}
        </>
      )}
      {isOpen(item) ? (
        <Action label={t('row.cancel', { name })} onClick={() => cancel(item.id)}>
          <X size={17} aria-hidden />
        </Action>
      ) : (
        <Action label={t('row.remove', { name })} onClick={() => remove([item.id])}>
          <X size={17} aria-hidden />
        </Action>
      )}
      <Suspense fallback={null}>{Dialog && <Dialog item={item} onClose={() => setShown(undefined)} />}</Suspense>
    </>
  )
}

function isEnded({ stage }: Item): boolean {
  return stage === 'done' || stage === 'failed' || stage === 'canceled'
}

/** Whether the file itself has to change first. */
function isHopeless({ trouble }: Item): boolean {
  return trouble?.code === 'file_empty' || trouble?.code === 'file_too_large'
}

function again({ id, lookUp: isUnknown }: Item): Promise<void> {
  return isUnknown ? lookUp(id) : convert([id])
}

function stageAgain(id: string): void {
  replaceItems([id], (item) => ({ ...withoutOutcome(withoutExpiredImport(item)), stage: 'staged' }))
}

interface ActionProps {
  readonly label: string
  /** Whether its setting is in use. */
  readonly isOn?: boolean
  readonly children: React.ReactNode
  onClick(): void
}

function Action({ label, isOn = false, children, onClick }: ActionProps) {
  return (
    <Button
      look="ghost"
      size="icon"
      className={classes(isOn && '!text-accent')}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

function ItemOptions({ item, onClose }: { readonly item: Item; onClose(): void }) {
  const { t } = useTranslation('list')
  const choices = useChoices()
  const target = targetOf(item, choices)
  if (!target) return null
  return (
    <OptionsDialog
      title={t('options.titleOfFile', { target: target.toUpperCase() })}
      about={item.name}
      sources={[item.source]}
      target={target}
      options={optionsOf(item, choices)}
      onClose={onClose}
      onApply={(options) => changeItem(item.id, () => ({ target, options }))}
      applyToAll={{
        label: t('options.applyToAll', { kind: t(`kind.${item.kind}`) }),
        apply(options) {
          choose(item.kind, { target, options })
          // Files with their own choice follow it too.
          const { target: _target, options: _options, ...rest } = item
          replaceItems([item.id], () => rest)
        },
      }}
    />
  )
}
