import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import type { Item } from '../item.ts'
import { canMerge, canMergeAtOnce, mergeFiles, mostMerged } from '../merging.ts'
import { converter } from '../state.ts'
import { PageThumb } from './page-thumb.tsx'
import { ToolDialog } from './tool-dialog.tsx'

const mostNamed = 3

/** Says which files of the list are not offered. */
function LeftOut() {
  const { t } = useTranslation('tools')
  const [others] = useState(() =>
    [...converter.get().items.values()].filter((item) => item.partOf === undefined && !canMerge(item)),
  )
  if (others.length === 0) return null
  const names = others.slice(0, mostNamed).map(({ name }) => name)
  const rest = others.length - names.length
  return (
    <p className="text-[13px] break-words text-muted">
      {t('merge.others')} <bdi>{names.join(', ')}</bdi>
      {rest > 0 && ` ${t('merge.othersMore', { count: rest })}`}
    </p>
  )
}

/** Orders files and merges them into one PDF. */
export function MergeDialog({ items, onClose }: { readonly items: readonly Item[]; onClose(): void }) {
  const { t } = useTranslation('tools')
  const formats = useFormats()
  const [order, setOrder] = useState(items)
  const [name, setName] = useState(t('merge.defaultName'))
  const [said, setSaid] = useState('')
  const [held, setHeld] = useState<string>()
  const focused = useRef<string>(undefined)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // A row that was moved by keys keeps the focus.
    if (focused.current) list.current?.querySelector<HTMLElement>(`[data-grip="${focused.current}"]`)?.focus()
    focused.current = undefined
  })
  const move = (id: string, to: number) => {
    const from = order.findIndex((item) => item.id === id)
    const item = order[from]
    if (!item || to < 0 || to >= order.length || to === from) return
    setOrder(order.toSpliced(from, 1).toSpliced(to, 0, item))
    setSaid(t('merge.moved', { name: item.name, place: formats.count(to + 1), all: formats.count(order.length) }))
  }
  const press = (event: KeyboardEvent, id: string, at: number) => {
    const places: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: order.length - 1,
    }
    const to = places[event.key]
    if (to === undefined) return
    event.preventDefault()
    focused.current = id
    move(id, to)
  }
  const isTooMany = !canMergeAtOnce(order)
  const submit = () => {
    const clean =
      name
        .replace(/[/\\\p{Cc}]/gu, '_')
        .slice(0, 200)
        .trim() || t('merge.defaultName')
    const withExtension = clean.toLowerCase().endsWith('.pdf') ? clean : `${clean}.pdf`
    void mergeFiles(
      order.map(({ id }) => id),
      withExtension,
    )
    onClose()
  }
  return (
    <ToolDialog
      title={t('merge.title')}
      onClose={onClose}
      actions={
        <>
          {isTooMany && <p className="me-auto text-[13px] text-bad">{t('merge.tooMany', { most: mostMerged })}</p>}
          <Button look="primary" disabled={order.length < 2 || isTooMany} onClick={submit}>
            {t('merge.submit', { count: order.length })}
          </Button>
        </>
      }
    >
      <p className="text-[13px] text-muted">{t('merge.hint')}</p>
      <LeftOut />
      <ol ref={list} className="max-h-[44dvh] overflow-y-auto rounded-card border">
        {order.map((item, at) => (
          <li
            key={item.id}
            data-held={held === item.id || undefined}
            className="flex items-center gap-2 border-t bg-surface px-2 py-1.5 first:border-t-0 data-held:bg-accent-soft"
            onDragOver={(event) => {
              if (held === undefined) return
              event.preventDefault()
              // The drop zone must not handle it as a file.
              event.stopPropagation()
              if (held !== item.id) move(held, at)
            }}
            onDrop={(event) => {
              event.preventDefault()
              event.stopPropagation()
            }}
          >
            <button
              type="button"
              draggable
              data-grip={item.id}
              aria-label={t('merge.grip', { name: item.name, place: at + 1 })}
              title={t('merge.keys')}
              className="grid size-9 shrink-0 cursor-grab place-items-center rounded-control text-faint hover:bg-sunken pointer-coarse:hidden"
              onKeyDown={(event) => press(event, item.id, at)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                setHeld(item.id)
              }}
              onDragEnd={() => setHeld(undefined)}
            >
              <GripVertical size={16} aria-hidden />
            </button>
            <span className="num w-5 shrink-0 text-end text-[13px] text-muted">{formats.count(at + 1)}</span>
            <PageThumb item={item} />
            <span className="min-w-0 flex-1 truncate">
              <bdi>{item.name}</bdi>
            </span>
            <div className="flex">
              <Button
                look="ghost"
                size="icon"
                aria-label={t('merge.up', { name: item.name })}
                disabled={at === 0}
                onClick={() => move(item.id, at - 1)}
              >
                <ArrowUp size={16} aria-hidden />
              </Button>
              <Button
                look="ghost"
                size="icon"
                aria-label={t('merge.down', { name: item.name })}
                disabled={at === order.length - 1}
                onClick={() => move(item.id, at + 1)}
              >
                <ArrowDown size={16} aria-hidden />
              </Button>
              <Button
                look="ghost"
                size="icon"
                aria-label={t('merge.leaveOut', { name: item.name })}
                disabled={order.length <= 2}
                onClick={() => setOrder(order.filter(({ id }) => id !== item.id))}
              >
                <X size={16} aria-hidden />
              </Button>
            </div>
          </li>
        ))}
      </ol>
      <p className="sr-only" aria-live="polite">
        {said}
      </p>
      <TextField
        label={t('merge.name')}
        value={name}
        maxLength={200}
        onChange={({ target }) => setName(target.value)}
      />
    </ToolDialog>
  )
}
