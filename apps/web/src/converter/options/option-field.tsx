import { Switch } from '@base-ui/react/switch'
import { ChevronDown, RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '../../ui/classes.ts'
import { inputClass } from '../../ui/field.tsx'
import type { Options, OptionValue } from '../item.ts'
import { type Descriptor, faultOf, settingOf } from '../option-rules.ts'

interface OptionFieldProps {
  readonly descriptor: Descriptor
  readonly options: Options
  onChange(value: OptionValue | undefined): void
}

/** One option: a control for its type, its unit, its hint, and a reset to its default. */
export function OptionField({ descriptor, options, onChange }: OptionFieldProps) {
  const { t } = useTranslation('list')
  const id = useId()
  const { name, label = name, hint, data_type } = descriptor
  const fault = faultOf(descriptor, options)
  const isChanged = options[name] !== undefined
  const error = fault && (fault.key === 'range' ? t('options.range', fault) : t('options.form', fault))
  const control = <Control id={id} descriptor={descriptor} options={options} isWrong={!!fault} onChange={onChange} />
  return (
    <div className="grid gap-1.5">
      <div className="flex min-h-6 items-center gap-2">
        <label htmlFor={id} id={`${id}-label`} className="font-medium">
          {label}
        </label>
        {isChanged && (
          <button
            type="button"
            aria-label={t('options.resetOne', { label })}
            title={t('options.resetOne', { label })}
            className="-my-1 grid size-6 place-items-center rounded-control text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
            onClick={() => onChange(undefined)}
          >
            <RotateCcw size={14} aria-hidden />
          </button>
        )}
        {data_type === 'boolean' && <div className="ms-auto flex">{control}</div>}
      </div>
      {data_type !== 'boolean' && control}
      <p id={`${id}-hint`} className={classes('text-[13px] text-pretty', error ? 'text-bad' : 'text-muted')}>
        <bdi>{error ?? hint}</bdi>
      </p>
    </div>
  )
}

interface ControlProps extends OptionFieldProps {
  readonly id: string
  readonly isWrong: boolean
}

function Control({ id, descriptor, options, isWrong, onChange }: ControlProps) {
  const { t } = useTranslation('list')
  const value = settingOf(descriptor, options)
  const given = options[descriptor.name]
  const shared = { id, 'aria-describedby': `${id}-hint` }
  if (descriptor.data_type === 'boolean') {
    return (
      <Switch.Root
        {...shared}
        aria-labelledby={`${id}-label`}
        checked={value === 'true'}
        onCheckedChange={(checked) => onChange(String(checked) === descriptor.default_value ? undefined : checked)}
        className="flex h-6 w-10 rounded-full bg-line-strong p-0.5 transition-colors duration-150 data-checked:bg-accent"
      >
        <Switch.Thumb className="size-5 rounded-full bg-surface shadow-sm transition-transform duration-150 data-checked:translate-x-4 rtl:data-checked:-translate-x-4" />
      </Switch.Root>
    )
  }
  if (descriptor.enum_values) {
    return (
      <div className="relative">
        <select
          {...shared}
          className={classes(inputClass, 'appearance-none truncate pe-9')}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          {descriptor.default_value === '' && <option value="">{t('options.unset')}</option>}
          {descriptor.enum_values.map((one) => (
            <option key={one.value} value={one.value}>
              {one.hint || one.value}
            </option>
          ))}
        </select>
        <ChevronDown
          size={16}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 end-3 my-auto text-muted"
        />
      </div>
    )
  }
  const isNumber = descriptor.data_type !== 'string'
  const { min, max, max_length } = descriptor.properties ?? {}
  return (
    <div className="relative">
      <input
        {...shared}
        className={classes(inputClass, descriptor.units && 'pe-16')}
        type={descriptor.name.includes('password') ? 'password' : 'text'}
        inputMode={isNumber ? 'decimal' : 'text'}
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        maxLength={max_length}
        placeholder={
          descriptor.default_value || (min !== undefined && max !== undefined ? `${min} – ${max}` : t('options.unset'))
        }
        value={given === undefined ? '' : String(given)}
        onChange={({ target }) => onChange(isNumber ? toNumber(target.value) : target.value)}
      />
      {descriptor.units && (
        <span className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-[13px] text-muted">
          {descriptor.units}
        </span>
      )}
    </div>
  )
}

/** Keeps text that is not a number yet: it is marked as invalid, but not lost while the user types. */
function toNumber(text: string): OptionValue {
  const trimmed = text.trim().replace(',', '.')
  return trimmed !== '' && Number.isFinite(Number(trimmed)) && !/[.]$/.test(trimmed) ? Number(trimmed) : trimmed
}
