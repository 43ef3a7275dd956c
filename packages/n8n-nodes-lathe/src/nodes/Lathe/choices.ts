import type {
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow'
import { operations } from '../generated/operations.ts'
import type { FormatList, OptionDescriptor, OptionSet } from '../generated/types.ts'
import { callApi, segment } from '../shared/request.ts'

/** Formats that the operation accepts. */
export async function getInputFormats(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const formats = await readFormats(this, {})
  return [{ name: 'Detect From the File', value: '' }, ...formats]
}

/** Formats that the operation makes from the input format, or from any. */
export async function getOutputFormats(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const inputFormat = read(this, 'inputFormat')
  return readFormats(this, inputFormat ? { input_format: inputFormat } : {})
}

/** The options of the operation on the chosen formats. */
export async function getOptionFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const [operation, inputFormat] = [read(this, 'operation'), read(this, 'inputFormat')]
  const outputFormat = takesOutputFormat(operation) ? read(this, 'outputFormat') : ''
  if (!inputFormat || (takesOutputFormat(operation) && !outputFormat)) {
    return { fields: [], emptyFieldsNotice: 'Choose the formats to see their options.' }
  }
  const qs = { input_format: inputFormat, ...(outputFormat && { output_format: outputFormat }) }
  const { options } = await callApi<OptionSet>(this, 'GET', `/v1/query/options/${segment(operation)}`, { qs })
  return { fields: options.map(toField), emptyFieldsNotice: 'These formats have no options.' }
}

/** Whether the format of the result can be chosen. */
export function takesOutputFormat(operation: string): boolean {
  return operations.some(({ value, takesOutputFormat }) => value === operation && takesOutputFormat)
}

async function readFormats(
  context: ILoadOptionsFunctions,
  qs: Record<string, string>,
): Promise<INodePropertyOptions[]> {
  const path = `/v1/query/formats/${segment(read(context, 'operation'))}`
  const { formats } = await callApi<FormatList>(context, 'GET', path, { qs })
  return formats.filter((one) => one.alias_of === undefined).map(({ ext }) => ({ name: ext.toUpperCase(), value: ext }))
}

function read(context: ILoadOptionsFunctions, name: string): string {
  return String(context.getCurrentNodeParameter(name) ?? '')
}

function toField(option: OptionDescriptor): ResourceMapperField {
  const unit = option.units ? ` (${option.units})` : ''
  return {
    id: option.name,
    displayName: `${option.label ?? option.name}${unit}`,
    required: false,
    defaultMatch: false,
    display: true,
    // The field is shown when the user adds it.
    removed: true,
    type: typeOf(option),
    ...(option.type === 'enum' && {
      options: (option.enum_values ?? []).map(({ value, hint }) => ({ name: hint || value, value })),
    }),
    defaultValue: defaultOf(option),
  }
}

function typeOf({ type, data_type }: OptionDescriptor): 'boolean' | 'number' | 'options' | 'string' {
  if (type === 'enum') return 'options'
  return data_type === 'integer' ? 'number' : data_type
}

function defaultOf({ type, data_type, default_value }: OptionDescriptor): string | number | boolean | null {
  if (default_value === '') return null
  if (data_type === 'boolean') return default_value === 'true'
  return type === 'enum' || data_type === 'string' ? default_value : Number(default_value)
}

/** Whether all files make one result. */
export function takesTogether(operation: unknown): boolean {
  return operations.some((one) => one.value === operation && one.takesTogether)
}
