import { ApiError } from '../model/api-error.ts'
import { collectionNames } from '../model/collection.ts'
import { isObject } from '../model/json.ts'
import { formatErrors } from '../model/validation-error.ts'
import { recordAssistantCall } from '../store/audit-log.ts'
import { changesTool } from './changes-tool.ts'
import { countTool } from './count-tool.ts'
import { describeTool } from './describe-tool.ts'
import { getTool } from './get-tool.ts'
import { RpcError, type RpcMessage } from './message.ts'
import { queryTool } from './query-tool.ts'
import { formatResult } from './result.ts'
import { summariseTool } from './summarise-tool.ts'
import type { Tool, ToolContext } from './tool.ts'

const tools: readonly Tool[] = [
  describeTool,
  queryTool,
  getTool,
  countTool,
  summariseTool,
  changesTool,
]

/** The tools as `tools/list` shows them, always in the same order. */
export const listTools = () =>
  tools.map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }))

/** Calls a tool, after an entry in the audit log. Returns errors that a model can correct as results; throws an RpcError for an unknown tool. */
export async function callTool(
  context: ToolContext,
  params: RpcMessage['params'],
): Promise<object> {
  const { name, arguments: input = {} } = params
  const tool = tools.find((it) => it.name === name)
  if (!tool) {
    const names = tools.map((it) => it.name).join(', ')
    throw new RpcError('invalidParams', `Unknown tool: there are ${names}.`, { status: 200 })
  }
  await recordAssistantCall(context.store, tool.name, collectionOf(input))
  try {
    return {
      content: [{ type: 'text', text: formatResult(context, await tool.run(context, input)) }],
    }
  } catch (error) {
    if (!(error instanceof ApiError && correctable.has(error.type))) throw error
    return { content: [{ type: 'text', text: formatError(error) }], isError: true }
  }
}

/** The errors that depend on the input of a tool. Others, such as a revoked key, concern every call. */
const correctable: ReadonlySet<string> = new Set<ApiError['type']>([
  'BAD_REQUEST',
  'FORBIDDEN',
  'NOT_FOUND',
  'GONE',
])

/** The inputs of tools by the parameters of the API that they become. */
const inputNames: Readonly<Record<string, string>> = {
  $filter: 'filter',
  $orderby: 'orderBy',
  $select: 'select',
  $expand: 'expand',
  $skiptoken: 'cursor',
  $after: 'cursor',
  $by: 'by',
  $measures: 'measures',
  $having: 'having',
  $compare: 'compare',
}

const formatError = ({ message, errors }: ApiError) =>
  errors.length === 0
    ? message
    : formatErrors(
        errors.map(({ field, ...error }) => ({ ...error, field: inputNames[field] ?? field })),
      )

/** The collection of a call: the only input in the audit log. */
function collectionOf(input: unknown): string {
  const collection = isObject(input) ? input.collection : undefined
  return collectionNames.find((name) => name === collection) ?? 'all collections'
}
