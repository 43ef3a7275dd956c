import type { Task } from '@lathe/contract'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownPath } from '../api/own-path.ts'
import { queries } from '../app/queries.ts'
import type { Options, OptionValue } from '../converter/item.ts'
import { applicable, faultOf, fitOptions } from '../converter/option-rules.ts'
import { OptionField } from '../converter/options/option-field.tsx'
import { readName } from '../converter/read-name.ts'
import { toTrouble } from '../converter/to-trouble.ts'
import { useFormats } from '../lib/formats.ts'
import { useStore } from '../lib/store.ts'
import { NotFound } from '../pages/trouble.tsx'
import { mayConvert, sessionStore } from '../session/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { FileField } from './file-field.tsx'
import { offered } from './offered.ts'
import type { OperationForm } from './operation-form.ts'
import { operationOptionsQuery, resultsQuery } from './queries.ts'
import type { Order } from './run-operation.ts'
import { useRun } from './use-run.ts'

/** `/tools/$operation`: a form built from the description of the operation. */
export function OperationPage() {
  const { operation } = useParams({ from: '/tools/$operation' })
  const form = offered.find(({ name }) => name === operation)
  if (!form) return <NotFound />
  return (
    <QueryClientProvider client={queries}>
      <Form key={form.name} form={form} />
    </QueryClientProvider>
  )
}

function Form({ form }: { readonly form: OperationForm }) {
  const { t } = useTranslation('operations')
  const { name, summary, description, output, roles, fields } = form
  const [files, setFiles] = useState<readonly File[]>([])
  const [beside, setBeside] = useState<Readonly<Record<string, File>>>({})
  const [chosen, setChosen] = useState<string>()
  const [options, setOptions] = useState<Options>({})
  const { state, run, cancel } = useRun()
  const maySend = useStore(sessionStore, mayConvert)
  const [first] = files
  const source = first ? readName(first.name).source : ''
  const results = useQuery(resultsQuery(name, source))
  const targets = output === 'same' || output === 'contents' ? [] : (results.data ?? [])
  const target = chooseTarget(targets, output, chosen)
  const asked = output === 'same' ? source : target
  const known = useQuery(operationOptionsQuery(name, source, asked)).data ?? []
  const descriptors = fields ?? known
  const shown = applicable(descriptors, options)
  const isFaulty = shown.some((one) => faultOf(one, options) !== undefined)
  const isMissing = lacks(form, { files, beside, options })
  const isRunning = state.stage === 'running'

  const set = (option: string, value: OptionValue | undefined) => {
    const { [option]: _before, ...rest } = options
    setOptions(value === undefined || value === '' ? rest : { ...rest, [option]: value })
  }
  const start = (event: FormEvent) => {
    event.preventDefault()
    if (isMissing || isFaulty || isRunning) return
    const given = fitOptions(descriptors, options)
    void run({ operation: name, files, roles: beside, fields: fields ? given : asOptions(target, given) })
  }

  return (
    <div className="mx-auto max-w-xl px-4 py-8 sm:px-6 sm:py-10">
      <title>{`${summary} · Lathe`}</title>
      <Link to="/tools" className="inline-flex items-center gap-1.5 text-[13px] font-medium text-muted hover:text-text">
        <ArrowLeft size={14} aria-hidden className="rtl:rotate-180" />
        {t('operations.title')}
      </Link>
      <h1 className="mt-2 text-[26px] leading-tight font-semibold tracking-tight sm:text-[28px]">
        <bdi>{summary}</bdi>
      </h1>
      <p className="mt-1.5 text-[15px] text-pretty text-muted">
        <bdi>{description}</bdi>
      </p>
      {!maySend && (
        <div className="mt-6">
          <Notice tone="info">{t('operationForm.signIn')}</Notice>
        </div>
      )}
      <form onSubmit={start} noValidate className="mt-7 grid grid-cols-1 gap-6">
        {!fields && <FileField label={t('operationForm.files')} isMultiple files={files} onChange={setFiles} />}
        {roles.map((role) => (
          <FileField
            key={role.name}
            label={role.isOptional ? t('operationForm.optional', { name: toLabel(role.name) }) : toLabel(role.name)}
            hint={role.description}
            formats={role.formats}
            files={beside[role.name] ? [beside[role.name] as File] : []}
            onChange={([file]) => {
              const { [role.name]: _before, ...rest } = beside
              setBeside(file ? { ...rest, [role.name]: file } : rest)
            }}
          />
        ))}
        {results.isError && <Notice tone="bad">{toTrouble(results.error).msg}</Notice>}
        {targets.length > 1 && (
          <SelectField
            label={t('operationForm.target')}
            value={target}
            onChange={({ target: field }) => setChosen(field.value)}
          >
            {targets.map((ext) => (
              <option key={ext} value={ext}>
                {ext}
              </option>
            ))}
          </SelectField>
        )}
        {shown.map((descriptor) => (
          <OptionField
            key={descriptor.name}
            descriptor={descriptor}
            options={options}
            onChange={(value) => set(descriptor.name, value)}
          />
        ))}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" size="large" disabled={!maySend || isMissing || isFaulty || isRunning}>
            {t('operationForm.start')}
          </Button>
          {isRunning && (
            <>
              <Button onClick={cancel}>{t('operationForm.cancel')}</Button>
              <ProgressBar label={t('operationForm.progress')} value={state.share} className="min-w-32 flex-1" />
            </>
          )}
        </div>
      </form>
      <div aria-live="polite" className="mt-6 grid grid-cols-1 gap-4">
        {state.stage === 'failed' && <Notice tone="bad">{state.msg || t('operationForm.unreachable')}</Notice>}
        {state.stage === 'ended' && <Outcome task={state.task} />}
      </div>
    </div>
  )
}

/** The output format: the chosen one, else the default, else the first. */
function chooseTarget(targets: readonly string[], output: OperationForm['output'], chosen: string | undefined) {
  const usual = typeof output === 'object' ? output.usual : undefined
  return targets.length > 0 ? (chosen ?? targets.find((one) => one === usual) ?? targets[0]) : undefined
}

/** Whether a required input is missing. */
function lacks({ fields, roles }: OperationForm, given: Given): boolean {
  if (fields) return fields.some(({ isRequired, name }) => isRequired && given.options[name] === undefined)
  return given.files.length === 0 || roles.some(({ isOptional, name }) => !isOptional && !given.beside[name])
}

interface Given {
  readonly files: readonly File[]
  readonly beside: Readonly<Record<string, File>>
  readonly options: Options
}

function asOptions(target: string | undefined, options: Options): Order['fields'] {
  return { ...(target && { output_format: target }), ...(Object.keys(options).length > 0 && { options }) }
}

const toLabel = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

function Outcome({ task: { status, result } }: { readonly task: Task }) {
  const { t } = useTranslation('operations')
  const sizes = useFormats()
  if (status !== 'completed') return <Notice tone="bad">{result.msg || t('operationForm.unreachable')}</Notice>
  const { files = [], warnings = [], url } = result
  return (
    <>
      <h2 className="text-[17px] font-semibold tracking-tight">{t('operationForm.results')}</h2>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <bdi>{warning}</bdi>
        </Notice>
      ))}
      <ul className="rounded-card border bg-surface shadow-card">
        {files.map(({ filename = '', size, url: own = '' }) => (
          <li key={own} className="flex items-center gap-3 border-t ps-4 pe-1.5 first:border-t-0">
            <span className="min-w-0 flex-1 truncate py-2 font-medium" title={filename}>
              <bdi>{filename}</bdi>
            </span>
            <span className="num text-[13px] text-muted">{sizes.bytes(size ?? 0)}</span>
            <a
              href={ownPath(own)}
              download
              aria-label={t('operationForm.download', { name: filename })}
              className={buttonClass('ghost', 'icon')}
            >
              <Download size={17} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
      {files.length > 1 && url && (
        <a href={ownPath(url)} download className={buttonClass()}>
          <Download size={16} aria-hidden />
          {t('operationForm.all')}
        </a>
      )}
    </>
  )
}
