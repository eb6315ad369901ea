import * as z from 'zod'
import { type Pull, preferences } from './connectors.ts'
import { run } from './served.ts'

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
    paginator: z.object({ type: z.literal('json_link'), next_url_path: z.literal('next') }),
  }),
  resource_defaults: z.object({
    write_disposition: z.literal('merge'),
    endpoint: z.object({
      params: z.record(z.string(), z.coerce.string()),
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
      // As dlt's JSONLinkPaginator.
      nextUrl: (url, { next }) => (next === undefined ? undefined : new URL(next, url).href),
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
export const dltRow = (
  record: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, unknown>> =>
  fromPipeline('pipeline.row(json.loads(sys.argv[1]))', env, JSON.stringify(record))

/** Evaluates a Python expression about the pipeline and returns its value as JSON. */
async function fromPipeline(expression: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const program = `import json, sys, pipeline; print(json.dumps(${expression}, default=str))`
  // -B writes no compiled file next to the example.
  const { stdout } = await run('python3', ['-B', '-c', program, ...args], {
    cwd: 'examples/dlt',
    env,
  })
  return JSON.parse(stdout)
}
