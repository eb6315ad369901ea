import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import * as z from 'zod'

/** A connector's configuration of one list: the requests for records changed since a time. */
export type Pull = {
  name: string
  id: string
  url: string
  headers: Record<string, string>
  /** The key of the list in an answer. */
  list: string
  /** Parameters of every page. */
  query: Record<string, string>
  limit: number
  /** The field with a record's time of change, the parameter for it, its first value, and the overlap in seconds. */
  cursor: { field: string; parameter: string; start: string; again: number }
}

type Row = Record<string, unknown>

/** Reads the records that a connector reads after one that changed at `last`. */
export async function runPull(pull: Pull, last: string | undefined): Promise<Row[]> {
  const { start, again, parameter } = pull.cursor
  const from = last && new Date(Date.parse(last) - again * 1000).toISOString()
  const rows: Row[] = []
  for (;;) {
    const query = new URLSearchParams({
      ...pull.query,
      limit: String(pull.limit),
      offset: String(rows.length),
      [parameter]: from && from > start ? from : start,
    })
    const answer = await fetch(`${pull.url}?${query}`, { headers: pull.headers })
    if (!answer.ok) throw new Error(`${pull.name}: ${answer.status} ${await answer.text()}`)
    const page = ((await answer.json()) as Record<string, Row[]>)[pull.list]
    if (page === undefined) throw new Error(`${pull.name}: no ${pull.list} in the answer`)
    rows.push(...page)
    if (page.length < pull.limit) return rows
  }
}

const preferences = z.object({ Prefer: z.literal('handling=strict') })

const Manifest = z.object({
  definitions: z.object({
    stream: z.object({
      retriever: z.object({
        requester: z.object({
          url: z.string(),
          authenticator: z.object({
            type: z.literal('ApiKeyAuthenticator'),
            api_token: z.string(),
            inject_into: z.object({ inject_into: z.literal('header'), field_name: z.string() }),
          }),
          request_headers: preferences,
          request_parameters: z.record(z.string(), z.string()),
        }),
        record_selector: z.object({ extractor: z.object({ field_path: z.tuple([z.string()]) }) }),
        paginator: z.object({
          pagination_strategy: z.object({ type: z.literal('OffsetIncrement'), page_size: z.int() }),
          page_size_option: z.object({ field_name: z.literal('limit') }),
          page_token_option: z.object({ field_name: z.literal('offset') }),
        }),
      }),
      incremental_sync: z.object({
        cursor_field: z.string(),
        datetime_format: z.literal('%Y-%m-%dT%H:%M:%S.%_msZ'),
        start_datetime: z.string(),
        lookback_window: z.literal('P1D'),
        start_time_option: z.object({
          inject_into: z.literal('request_parameter'),
          field_name: z.string(),
        }),
      }),
    }),
  }),
  streams: z.array(
    z.object({
      $ref: z.literal('#/definitions/stream'),
      $parameters: z.object({ name: z.string(), list: z.string(), primary_key: z.string() }),
      schema_loader: z.object({
        schema: z.object({ properties: z.record(z.string(), z.unknown()) }),
      }),
    }),
  ),
})

/** The lists of the Airbyte manifest with their documented columns. */
export async function airbytePulls(config: Record<string, string>) {
  const text = await readFile('examples/airbyte/manifest.yaml', 'utf8')
  // Airbyte reads YAML 1.1. The many aliases are the properties' types.
  const { definitions, streams } = Manifest.parse(
    parse(text, { version: '1.1', maxAliasCount: -1 }),
  )
  const { retriever, incremental_sync } = definitions.stream
  const { requester, record_selector, paginator } = retriever
  const { inject_into, api_token } = requester.authenticator
  return streams.map(({ $parameters, schema_loader }) => {
    const variables: Record<string, Record<string, string>> = { config, parameters: $parameters }
    const fillTemplate = (text: string) =>
      text.replace(/\{\{ (\w+)\['(\w+)'\] \}\}/g, (_, of, name) => variables[of]?.[name] ?? '')
    return {
      name: $parameters.name,
      id: $parameters.primary_key,
      url: fillTemplate(requester.url),
      headers: { ...requester.request_headers, [inject_into.field_name]: fillTemplate(api_token) },
      list: fillTemplate(record_selector.extractor.field_path[0]),
      query: requester.request_parameters,
      limit: paginator.pagination_strategy.page_size,
      cursor: {
        field: incremental_sync.cursor_field,
        parameter: incremental_sync.start_time_option.field_name,
        start: incremental_sync.start_datetime,
        again: 24 * 60 * 60,
      },
      columns: Object.keys(schema_loader.schema.properties),
    }
  })
}

const DltConfig = z.object({
  client: z.object({
    base_url: z.string(),
    headers: preferences,
    auth: z.object({
      type: z.literal('api_key'),
      name: z.string(),
      api_key: z.string(),
      location: z.literal('header'),
    }),
    paginator: z.object({ type: z.literal('offset'), limit: z.int(), total_path: z.null() }),
  }),
  resource_defaults: z.object({
    write_disposition: z.literal('merge'),
    endpoint: z.object({
      params: z.record(z.string(), z.string()),
      incremental: z.object({
        cursor_path: z.string().regex(/^"[^"]+"$/),
        start_param: z.string(),
        initial_value: z.string(),
        lag: z.number(),
      }),
    }),
  }),
  resources: z.array(
    z.object({
      primary_key: z.string(),
      endpoint: z.object({ path: z.string(), data_selector: z.string() }),
    }),
  ),
})

/** The lists of the dlt configuration. */
export async function dltPulls(env: NodeJS.ProcessEnv) {
  const { client, resource_defaults, resources } = DltConfig.parse(
    await fromPipeline('pipeline.config', env),
  )
  const { params, incremental } = resource_defaults.endpoint
  return resources.map(
    ({ primary_key, endpoint }): Pull => ({
      name: endpoint.path,
      id: primary_key,
      url: client.base_url + endpoint.path,
      headers: { ...client.headers, [client.auth.name]: client.auth.api_key },
      list: endpoint.data_selector,
      query: params,
      limit: client.paginator.limit,
      cursor: {
        field: JSON.parse(incremental.cursor_path),
        parameter: incremental.start_param,
        start: incremental.initial_value,
        again: incremental.lag,
      },
    }),
  )
}

/** The row that dlt stores for a record. */
export const dltRow = (record: Row, env: NodeJS.ProcessEnv): Promise<Row> =>
  fromPipeline('pipeline.row(json.loads(sys.argv[1]))', env, JSON.stringify(record))

/** Evaluates a Python expression about the pipeline and returns its value as JSON. */
async function fromPipeline(expression: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const program = `import json, sys, pipeline; print(json.dumps(${expression}, default=str))`
  // -B writes no compiled file next to the example.
  const { stdout } = await promisify(execFile)('python3', ['-B', '-c', program, ...args], {
    cwd: 'examples/dlt',
    env,
  })
  return JSON.parse(stdout)
}
