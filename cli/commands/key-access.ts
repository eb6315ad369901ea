import { type Command, InvalidArgumentError } from 'commander'
import { permissions, validatePermissions } from '../../src/access/permissions.ts'
import {
  assistantRestrictions,
  buildRestrictions,
  type RestrictionName,
  type Restrictions,
  restrictionNames,
  restrictionTable,
} from '../../src/access/restrictions.ts'

import { validateRestrictions } from '../../src/access/validate-restrictions.ts'
import { formatErrors } from '../../src/model/validation-error.ts'
import { loadCollections } from '../../src/resources/collections.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { toOptionName } from '../terminal/option-name.ts'
import { CommandError } from '../terminal/report.ts'

/** The options for a key's permissions and restrictions; undefined if absent. */
export type KeyAccessOptions = { permissions?: string[] } & {
  [Name in RestrictionName]?: string[] | boolean
}

/** Adds the options for a key's permissions and restrictions. */
export function addKeyAccessOptions(command: Command): Command {
  command.option(
    '--permissions <names>',
    `permissions of the key: ${permissions.join(', ')}`,
    parsePermissions,
  )
  for (const name of restrictionNames) {
    const restriction = restrictionTable[name]
    const option = toOptionName(name)
    if ('fields' in restriction) {
      const { argument, description } = restriction.option
      command.option(`--${option} <${argument}>`, description, parseNames)
    } else
      command
        .option(`--${option}`, restriction.option.lift)
        .option(`--no-${option}`, restriction.option.set)
  }
  return command
}

/** Merges the restrictions from the options into a key's current ones. */
export const mergeRestrictions = (
  options: KeyAccessOptions,
  current: Restrictions = {},
): Restrictions =>
  buildRestrictions((name) => {
    const value = options[name]
    if (value === undefined) return current[name]
    if (typeof value === 'boolean') return value ? undefined : false
    return isLifted(name, value) ? undefined : value
  })

function isLifted(name: RestrictionName, [only, ...others]: readonly string[]): boolean {
  const restriction = restrictionTable[name]
  return 'fields' in restriction && only === restriction.option.none && others.length === 0
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
          field: `--${toOptionName(field)}`,
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
