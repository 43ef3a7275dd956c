import type { INodeProperties } from 'n8n-workflow'
import { operations } from '../generated/operations.ts'

const withOutputFormat = operations.filter((one) => one.takesOutputFormat).map(({ value }) => value)

/** The parameters of the node. Formats and options are read from the service. */
export const properties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'convert',
    options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
  },
  {
    displayName: 'Input Binary Field',
    name: 'inputField',
    type: 'string',
    default: 'data',
    required: true,
    hint: 'The name of the input field containing the file',
  },
  {
    displayName: 'Input Format Name or ID',
    name: 'inputFormat',
    type: 'options',
    default: '',
    typeOptions: { loadOptionsMethod: 'getInputFormats', loadOptionsDependsOn: ['operation'] },
    description:
      'The format of the files. Choose it to see their options. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Output Format Name or ID',
    name: 'outputFormat',
    type: 'options',
    default: '',
    required: true,
    typeOptions: { loadOptionsMethod: 'getOutputFormats', loadOptionsDependsOn: ['operation', 'inputFormat'] },
    displayOptions: { show: { operation: withOutputFormat } },
    description:
      'The format to make. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      loadOptionsDependsOn: ['operation', 'inputFormat', 'outputFormat'],
      resourceMapper: {
        resourceMapperMethod: 'getOptionFields',
        mode: 'add',
        addAllFields: false,
        supportAutoMap: false,
        valuesLabel: 'Options',
        fieldWords: { singular: 'option', plural: 'options' },
      },
    },
  },
  {
    displayName: 'Wait',
    name: 'wait',
    type: 'options',
    noDataExpression: true,
    default: 'running',
    options: [
      {
        name: 'In This Execution',
        value: 'running',
        description: 'Keep the execution running until the files are done. Best for conversions of seconds or minutes.',
      },
      {
        name: 'By Webhook',
        value: 'webhook',
        description:
          'Pause the execution until Lathe calls n8n, for up to 50 items. Best for long conversions. Lathe must be able to reach n8n over HTTPS.',
      },
    ],
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options: [
      {
        displayName: 'Output Binary Field',
        name: 'outputField',
        type: 'string',
        default: 'data',
        description: 'The name of the output field to put the file in',
      },
      {
        displayName: 'Output File Name',
        name: 'filename',
        type: 'string',
        default: '',
        description: 'The name of the result; that of the input with the new extension unless given',
      },
      {
        displayName: 'Preset ID',
        name: 'preset',
        type: 'string',
        default: '',
        description: 'A preset of the service. Options that are set here take precedence.',
      },
      { displayName: 'Tag', name: 'tag', type: 'string', default: '', description: 'A text to find the job by' },
      {
        displayName: 'Time Limit (Minutes)',
        name: 'timeLimit',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 60,
        description: 'How long to wait in this execution before the job is canceled',
      },
    ],
  },
]
