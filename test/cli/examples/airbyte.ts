import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import * as z from 'zod'
import { type Pull, preferences } from './connectors.ts'

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
          request_parameters: z.object({
            $include: z.string(),
            $skiptoken: z.literal("{{ next_page_token['next_page_token'] or 'start' }}"),
          }),
        }),
        record_selector: z.object({ extractor: z.object({ field_path: z.tuple([z.string()]) }) }),
        paginator: z.object({
          pagination_strategy: z.object({
            type: z.literal('CursorPagination'),
            page_size: z.int(),
            cursor_value: z.literal("{{ response['next'].split('skiptoken=')[1].split('&')[0] }}"),
            stop_condition: z.literal("{{ 'next' not in response }}"),
          }),
          page_size_option: z.object({ field_name: z.string() }),
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
  const { requester, record_selector } = retriever
  const { pagination_strategy, page_size_option } = retriever.paginator
  const { inject_into, api_token } = requester.authenticator
  return streams.map(({ $parameters, schema_loader }): Pull & { columns: string[] } => {
    const variables: Record<string, Record<string, string>> = { config, parameters: $parameters }
    const fillTemplate = (text: string) =>
      text.replace(/\{\{ (\w+)\['(\w+)'\] \}\}/g, (_, of, name) => variables[of]?.[name] ?? '')
    return {
      name: $parameters.name,
      id: $parameters.primary_key,
      url: fillTemplate(requester.url),
      headers: { ...requester.request_headers, [inject_into.field_name]: fillTemplate(api_token) },
      list: fillTemplate(record_selector.extractor.field_path[0]),
      query: {
        ...requester.request_parameters,
        $skiptoken: 'start',
        [page_size_option.field_name]: String(pagination_strategy.page_size),
      },
      // As the manifest's templates say.
      nextUrl: (url, { next }) => {
        if (next === undefined) return undefined
        const nextUrl = new URL(url)
        nextUrl.searchParams.set('$skiptoken', next.split('skiptoken=')[1]?.split('&')[0] ?? '')
        return nextUrl.href
      },
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
