import { type Command, InvalidArgumentError } from 'commander'
import { permissions, validatePermissions } from '../../src/access/permissions.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { validateRestrictions } from '../../src/access/validate-restrictions.ts'
import { formatErrors } from '../../src/model/validation-error.ts'
import { loadCollections } from '../../src/resources/collections.ts'
import { readSchemas } from '../../src/store/schemas.ts'
import { CommandError } from '../terminal/refusal.ts'

/** What is said of a key's rights on the command line; what is not said is undefined. */
export type KeyAccessOptions = {
  may?: string[]
  collections?: string[]
  privateNotes?: boolean
  from?: string[]
  without?: string[]
}

const unrestrictedValues = { collections: 'all', from: 'anywhere', without: 'nothing' } as const

/** The options for what a key may do and is held to. */
export const addKeyAccessOptions = (command: Command) =>
  command
    .option('--may <rights>', `what it may do, of ${permissions.join(', ')}`, parsePermissions)
    .option('--collections <names>', 'the only collections there are for it, or all', parseNames)
    .option('--private-notes', 'private case notes are there for it, as they are unless told')
    .option('--no-private-notes', 'private case notes are not there for it')
    .option(
      '--from <networks>',
      'the only addresses or networks it works from, or anywhere',
      parseNames,
    )
    .option(
      '--without <fields>',
      'what is kept from it: kinds, ids and paths, or nothing',
      parseNames,
    )

/** The limits that are said, in place of those a key had. */
export function mergeRestrictions(
  { collections, privateNotes, from, without }: KeyAccessOptions,
  current: Restrictions = {},
): Restrictions {
  const options = { collections, from, without }
  const entries = Object.entries(options).map(([name, value]) => {
    const [only, ...rest] = value ?? []
    const isLifted =
      only === unrestrictedValues[name as keyof typeof unrestrictedValues] && rest.length === 0
    return [
      name,
      value === undefined ? current[name as keyof typeof options] : isLifted ? undefined : value,
    ]
  })
  const notes = privateNotes === undefined ? current.privateNotes : privateNotes ? undefined : false
  return { ...Object.fromEntries(entries), privateNotes: notes }
}

/** Refuses limits that name what an organisation does not have. */
export async function requireValidRestrictions(
  db: D1Database,
  organisationId: string,
  restrictions: Restrictions,
): Promise<void> {
  const [collections, schemas] = await Promise.all([
    loadCollections(),
    readSchemas(db, organisationId),
  ])
  const errors = validateRestrictions(restrictions, { collections, schemas })
  if (errors.length > 0)
    throw new CommandError(
      formatErrors(errors.map((error) => ({ ...error, field: `--${error.field}` }))),
    )
}

function parsePermissions(text: string): string[] {
  const permissions = parseNames(text)
  const error = validatePermissions(permissions)
  if (error) throw new InvalidArgumentError(`It ${error}`)
  return permissions
}

const parseNames = (text: string, previous: string[] = []): string[] => [
  ...previous,
  ...text.split(',').map((name) => name.trim()),
]
