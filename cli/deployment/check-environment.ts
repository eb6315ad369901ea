import type { Unstable_RawConfig } from 'wrangler'
import { rowsPerUnit } from '../../src/store/fair-share.ts'
import { checkDatabases } from './check-databases.ts'
import { readSection, trialEnvironment, workerName } from './section.ts'

/** A section of wrangler.toml: an environment, or the top level, which configures the local service. */
type Section = Pick<
  Unstable_RawConfig,
  | 'd1_databases'
  | 'kv_namespaces'
  | 'ratelimits'
  | 'queues'
  | 'version_metadata'
  | 'triggers'
  | 'vars'
>

/** The rate limits that the variable RATE_LIMIT_POLICY describes, in its order. */
const describedLimits = [
  'LIMIT_BY_CREDENTIAL',
  'LIMIT_FAILURES_BY_ADDRESS',
  'LIMIT_ROWS_BY_ORGANISATION',
]

// A label of a host name has at most 63 characters.
const maxWorkerName = 63

/**
 * The problems with an environment of wrangler.toml. It needs the bindings of the top level, because
 * environments inherit none and wrangler only warns of that, and names that differ from all others.
 */
export function checkEnvironment(config: Unstable_RawConfig, name: string): string[] {
  const { env = {}, ...local } = config
  const { [name]: _, ...others } = env
  const environment = readSection(config, name) ?? {}
  const isTrial = name === trialEnvironment
  return [
    ...checkName(workerName(config, name), name),
    ...checkDatabases(environment.d1_databases ?? [], isTrial ? '' : `env.${name}.`),
    ...missingBindings(local, environment, name),
    ...checkQueues(environment, name),
    ...checkPolicy(environment, name),
    ...sharedNames(environment, [
      // A trial has the names of the local service, which is in no account.
      ...(isTrial ? [] : [['the local service', local] as const]),
      ...Object.entries(others).map(([other, section]) => [`[env.${other}]`, section] as const),
    ]),
  ]
}

const checkName = (worker: string, name: string): string[] =>
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name) && worker.length <= maxWorkerName
    ? []
    : [
        `The name "${name}" must consist of lower-case letters, digits and hyphens, and ${worker} of at most ${maxWorkerName} characters.`,
      ]

/** What a section binds, as it appears in wrangler.toml. `*` is the section's name. */
const bindings = ({
  kv_namespaces,
  ratelimits,
  queues,
  version_metadata,
  vars,
}: Section): string[] => [
  ...(kv_namespaces ?? []).map(({ binding }) => `[[*.kv_namespaces]] with binding = "${binding}"`),
  ...(ratelimits ?? []).map((limit) => `[[*.ratelimits]] with name = "${limit.name}"`),
  ...(queues?.producers ?? []).map(
    ({ binding }) => `[[*.queues.producers]] with binding = "${binding}"`,
  ),
  ...(version_metadata
    ? [`[*.version_metadata] with binding = "${version_metadata.binding}"`]
    : []),
  ...Object.keys(vars ?? {}).map((variable) => `${variable} in [*.vars]`),
]

function missingBindings(local: Section, environment: Section, name: string): string[] {
  const present = bindings(environment)
  const crons = environment.triggers?.crons ?? local.triggers?.crons ?? []
  return [
    ...bindings(local)
      .filter((binding) => !present.includes(binding))
      .map((binding) => `${binding.replace('*', `env.${name}`)} is missing.`),
    ...(local.triggers?.crons ?? [])
      .filter((cron) => !crons.includes(cron))
      .map((cron) => `[env.${name}.triggers] must have "${cron}" in crons.`),
  ]
}

/** Changes in a queue without a consumer would never be sent, and one without a dead letter queue loses failures. */
const checkQueues = ({ queues }: Section, name: string): string[] =>
  (queues?.producers ?? [])
    .filter(
      ({ queue }) =>
        !queues?.consumers?.some(
          (consumer) => consumer.queue === queue && consumer.dead_letter_queue,
        ),
    )
    .map(
      ({ queue }) =>
        `[[env.${name}.queues.consumers]] with queue = "${queue}" and a dead_letter_queue is missing.`,
    )

function checkPolicy({ ratelimits = [], vars = {} }: Section, name: string): string[] {
  const policy = [...String(vars.RATE_LIMIT_POLICY).matchAll(/"(\w+)";q=(\d+);w=(\d+)/g)]
  const announced = policy
    .map(([, kind, limit, period]) =>
      kind === 'rows'
        ? formatRows((Number(limit) * 60) / Number(period), 60)
        : `${limit} in ${period} s`,
    )
    .join(' and ')
  const limits = describedLimits
    .flatMap((limit) => ratelimits.filter((entry) => entry.name === limit))
    .map(({ name, simple: { limit, period } }) =>
      name === 'LIMIT_ROWS_BY_ORGANISATION'
        ? formatRows(limit * rowsPerUnit, period)
        : `${limit} in ${period} s`,
    )
    .join(' and ')
  return announced === limits || !vars.RATE_LIMIT_POLICY
    ? []
    : [
        `RATE_LIMIT_POLICY in [env.${name}.vars] announces ${announced || 'no limits'}, but ${describedLimits.join(' and ')} are ${limits}.`,
      ]
}

const formatRows = (rows: number, period: number) => `${rows} rows in ${period} s`

/** The names that belong to one section only: shared storage would mix up two services. */
const ownNames = ({ d1_databases, queues, ratelimits }: Section): string[] =>
  [
    ...(d1_databases ?? []).map((database) => ['database_name', database.database_name]),
    ...(queues?.consumers ?? []).map(({ queue }) => ['queue', queue]),
    ...(queues?.consumers ?? []).map((consumer) => [
      'dead_letter_queue',
      consumer.dead_letter_queue,
    ]),
    ...(ratelimits ?? []).map((limit) => ['namespace_id', limit.namespace_id]),
  ].flatMap(([property, value]) => (value === undefined ? [] : [`${property} = "${value}"`]))

function sharedNames(
  environment: Section,
  others: readonly (readonly [string, Section])[],
): string[] {
  const names = ownNames(environment)
  return [...new Set(names)].flatMap((name) => [
    ...(names.indexOf(name) === names.lastIndexOf(name) ? [] : [`${name} appears twice.`]),
    ...others
      .filter(([, section]) => ownNames(section).includes(name))
      .map(([other]) => `${name} also belongs to ${other}: choose another.`),
  ])
}
