import {
  type AccountStorage,
  buildEnvironmentConfig,
  type Environment,
  listQueues,
  namespaceTitle,
} from './environment.ts'

/** Something a deployment does: what it is, for people, and wrangler's arguments. */
export type Step = { description: string; args: string[] }

/** The storage is bound to this jurisdiction for good when it is made. */
const jurisdiction = 'eu'

/** Makes what an environment's storage lacks; nothing when all is there. */
export function provisioningSteps(environment: Environment, storage: AccountStorage): Step[] {
  const config = buildEnvironmentConfig(environment, storage)
  const { name, d1_databases, kv_namespaces } = config
  const databases = d1_databases
    .map(({ database_name }) => database_name)
    .filter((database) => !storage.databases.has(database))
    .map((database) => ({
      description: `Make the database ${database}`,
      args: ['d1', 'create', database, '--jurisdiction', jurisdiction, '--update-config=false'],
    }))
  const namespaces = kv_namespaces
    .map(({ binding }) => namespaceTitle(name, binding))
    .filter((title) => !storage.namespaces.has(title))
    .map((title) => ({
      description: `Make the KV namespace ${title}`,
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
  const queues = listQueues(config)
    .filter((queue) => !storage.queues.has(queue))
    .map((queue) => ({
      description: `Make the queue ${queue}`,
      args: ['queues', 'create', queue, '--jurisdiction', jurisdiction],
    }))
  return [...databases, ...namespaces, ...queues]
}

/** Applies the migrations that are missing, then puts the new code in their front: migrations only add, so the old code runs on them. */
export function releaseSteps(
  environment: Environment,
  storage: AccountStorage,
  config: string,
  secrets?: string,
): Step[] {
  const { name, d1_databases } = buildEnvironmentConfig(environment, storage)
  return [
    ...d1_databases.map(({ binding, database_name }) => ({
      description: `Migrate ${database_name}`,
      args: ['d1', 'migrations', 'apply', binding, '--remote', '--config', config],
    })),
    {
      description: `Deploy ${name}`,
      args: ['deploy', '--config', config, ...(secrets ? ['--secrets-file', secrets] : [])],
    },
  ]
}
