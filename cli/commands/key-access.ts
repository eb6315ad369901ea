import { type Command, InvalidArgumentError } from 'commander'
import { permissions, validatePermissions } from '../../src/access/permissions.ts'
import { assistantRestrictions, type Restrictions } from '../../src/access/restrictions.ts'
import { validateRestrictions } from '../../src/access/validate-restrictions.ts'
import { formatErrors } from '../../src/model/validation-error.ts'
import { loadCollections } from '../../src/resources/collections.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { CommandError } from '../terminal/report.ts'

/** The options for a key's permissions and restrictions; undefined if absent. */
export type KeyAccessOptions = {
  permissions?: string[]
  collections?: string[]
  privateNotes?: boolean
  allowFrom?: string[]
  hideFields?: string[]
  origins?: string[]
}

const unrestrictedValues = {
  collections: 'all',
  allowFrom: 'anywhere',
  hideFields: 'nothing',
  origins: 'none',
} as const

const optionNames: Readonly<Record<string, string>> = {
  allowFrom: 'allow-from',
  hideFields: 'hide-fields',
}

/** Adds the options for a key's permissions and restrictions. */
export const addKeyAccessOptions = (command: Command) =>
  command
    .option(
      '--permissions <names>',
      `permissions of the key: ${permissions.join(', ')}`,
      parsePermissions,
    )
    .option('--collections <names>', 'restrict the key to these collections, or "all"', parseNames)
    .option('--private-notes', 'show private case notes to the key (the default)')
    .option('--no-private-notes', 'hide private case notes from the key')
    .option(
      '--allow-from <networks>',
      'accept the key only from these addresses or networks, or from "anywhere"',
      parseNames,
    )
    .option(
      '--hide-fields <fields>',
      'hide fields from the key, by category, id or path, or "nothing"',
      parseNames,
    )
    .option(
      '--origins <origins>',
      'let web pages of these origins use the key, such as https://www.example.org, or "none"',
      parseNames,
    )

/** Merges the restrictions from the options into a key's current ones. */
export function mergeRestrictions(
  { collections, privateNotes, allowFrom, hideFields, origins }: KeyAccessOptions,
  current: Restrictions = {},
): Restrictions {
  const options = { collections, allowFrom, hideFields, origins }
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

/** The restrictions of a new assistant's key: they hide free text and private notes, unless an option shows them. */
export function toAssistantRestrictions(options: KeyAccessOptions): Restrictions {
  const { hideFields, ...restrictions } = mergeRestrictions(options, assistantRestrictions)
  return {
    ...restrictions,
    hideFields: hideFields && [...hideFields, ...assistantRestrictions.hideFields],
  }
}

/** Throws if restrictions name unknown collections, fields or networks. */
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
      formatErrors(
        errors.map(({ field, ...error }) => ({
          ...error,
          field: `--${optionNames[field] ?? field}`,
        })),
      ),
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
