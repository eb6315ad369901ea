import {
  type Environment,
  environmentConfig,
  namespaceTitle,
  queuesOf,
  type Storage,
} from './environment.ts'

/** Something a deployment does: what it is, for people, and wrangler's arguments. */
export type Step = { what: string; args: string[] }

/** The storage is bound to this jurisdiction for good when it is made. */
const jurisdiction = 'eu'

/** Makes what an environment's storage lacks; nothing when all is there. */
export function provisioning(environment: Environment, storage: Storage): Step[] {
  const config = environmentConfig(environment, storage)
  const { name, d1_databases, kv_namespaces } = config
  const databases = d1_databases
    .map(({ database_name }) => database_name)
    .filter((database) => !storage.databases.has(database))
    .map((database) => ({
      what: `Make the database ${database}`,
      args: ['d1', 'create', database, '--jurisdiction', jurisdiction, '--update-config=false'],
    }))
  const namespaces = kv_namespaces
    .map(({ binding }) => namespaceTitle(name, binding))
    .filter((title) => !storage.namespaces.has(title))
    .map((title) => ({
      what: `Make the KV namespace ${title}`,
      args: [
        'kv',
        'namespace',
        'create',
        title,
        '--jurisdiction',
        jurisdiction,
        '--update-config=false',
      ],
    }))
  const queues = queuesOf(config)
    .filter((queue) => !storage.queues.has(queue))
    .map((queue) => ({
      what: `Make the queue ${queue}`,
      args: ['queues', 'create', queue, '--jurisdiction', jurisdiction],
    }))
  return [...databases, ...namespaces, ...queues]
}

/** Applies the migrations that are missing, then puts the new code in their front: migrations only add, so the old code runs on them. */
export function releasing(
  environment: Environment,
  storage: Storage,
  config: string,
  secrets?: string,
): Step[] {
  const { name, d1_databases } = environmentConfig(environment, storage)
  return [
    ...d1_databases.map(({ binding, database_name }) => ({
      what: `Migrate ${database_name}`,
      args: ['d1', 'migrations', 'apply', binding, '--remote', '--config', config],
    })),
    {
      what: `Deploy ${name}`,
      args: ['deploy', '--config', config, ...(secrets ? ['--secrets-file', secrets] : [])],
    },
  ]
}
