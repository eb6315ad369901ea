import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { callApi, collections, readRecords, recordOf } from './api.ts'

const shownFor = (...operation: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { operation } },
})

/** Reads, creates and changes records. */
export class OrganisationData implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Organisation Data',
    name: 'organisationData',
    icon: {
      light: 'file:../../icons/organisation-data.svg',
      dark: 'file:../../icons/organisation-data.dark.svg',
    },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Read, create and change the records of an organisation',
    defaults: { name: 'Organisation Data' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'organisationDataApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: collections,
        default: 'members',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Create', value: 'create', action: 'Create a record' },
          { name: 'Get', value: 'get', action: 'Get a record' },
          { name: 'Get Many', value: 'getAll', action: 'Get many records' },
          { name: 'Update', value: 'update', action: 'Update a record' },
        ],
        default: 'getAll',
      },
      {
        displayName: 'ID',
        name: 'recordId',
        type: 'string',
        default: '',
        required: true,
        description: 'The ID of the record',
        ...shownFor('get', 'update'),
      },
      {
        displayName: 'Values',
        name: 'values',
        type: 'json',
        default: '{}',
        required: true,
        description:
          'The values by property, or by the ID of a field for people. An update keeps absent values.',
        ...shownFor('create', 'update'),
      },
      {
        displayName: 'Filter',
        name: 'filter',
        type: 'string',
        default: '',
        placeholder: "start ge 2026-01-01 and tags eq 'Food'",
        description:
          'Which records to return, as an expression of the API ($filter). All without one.',
        ...shownFor('getAll'),
      },
      {
        displayName: 'Return All',
        name: 'returnAll',
        type: 'boolean',
        default: false,
        description: 'Whether to return all results or only up to a given limit',
        ...shownFor('getAll'),
      },
      {
        displayName: 'Limit',
        name: 'limit',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 50,
        description: 'Max number of results to return',
        displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
      },
    ],
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (const item of this.getInputData().keys()) {
      try {
        for (const json of await run(this, item)) results.push({ json, pairedItem: { item } })
      } catch (error) {
        if (!this.continueOnFail())
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item })
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } })
      }
    }
    return [results]
  }
}

/** Runs the operation of an item. Returns its records. */
async function run(node: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const read = <Value>(name: string) => node.getNodeParameter(name, item) as Value
  const collection = read<string>('resource')
  const operation = read<string>('operation')
  if (operation === 'getAll') {
    const limit = read<boolean>('returnAll') ? undefined : read<number>('limit')
    return readRecords(node, collection, { filter: read('filter'), limit })
  }
  if (operation === 'create') {
    const body = parseValues(read('values'))
    return [recordOf(await callApi(node, `/${collection}`, { method: 'POST', body }))]
  }
  const path = `/${collection}/${encodeURIComponent(read<string>('recordId'))}`
  if (operation === 'get') return [recordOf(await callApi(node, path))]
  const body = parseValues(read('values'))
  return [recordOf(await callApi(node, path, { method: 'PATCH', body }))]
}

/** The values of a field of JSON, which n8n gives as a text or, from an expression, as an object. */
const parseValues = (values: string | IDataObject): IDataObject =>
  typeof values === 'string' ? JSON.parse(values) : values
