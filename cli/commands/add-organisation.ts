import { createKey } from '../../src/admin/keys.ts'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createOrganisationIn } from '../../src/admin/organisations.ts'
import { addUser } from '../../src/admin/users.ts'
import { invalidEmailMessage, isEmailAddress } from '../../src/auth/address.ts'
import { importSchemas } from '../../src/import/import-schemas.ts'
import { OrganisationId } from '../../src/model/organisation-id.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { fileSource } from '../import/import-files.ts'
import { formatErrorLines } from '../import/import-report.ts'
import { CommandError, type Report } from '../terminal/report.ts'
import { by } from './action.ts'

export type AddOrganisationOptions = {
  name: string
  database: string
  schemas?: string
  admin?: string
  key?: string
}

/**
 * `organisation add`: adds an organisation, and its schemas, first administrator and first key if the
 * options name them. Checks every option first, so that a typing error leaves nothing behind.
 */
export async function addOrganisation(
  bindings: Databases,
  [id = '']: readonly string[],
  { name, database, schemas, admin: email, key }: AddOrganisationOptions,
): Promise<Report> {
  const { error } = OrganisationId.safeParse(id)
  if (error) throw new CommandError(`id: ${error.issues[0]?.message}`)
  if (email !== undefined && !isEmailAddress(email))
    throw new CommandError(`--admin: ${invalidEmailMessage}`)
  if (schemas !== undefined) await writeSchemas(bindings.DB, id, schemas, { dry: true })
  if (!(await createOrganisationIn(bindings, database, id, name)))
    throw new CommandError(`The organisation ${id} already exists.`)
  const storage = await openOrganisation(bindings, id)
  const kinds =
    schemas === undefined ? 0 : await writeSchemas(storage.DB, id, schemas, { dry: false })
  if (email !== undefined)
    await addUser(bindings.DB, { organisationId: id, email, role: 'admin', by })
  const newKey =
    key === undefined
      ? undefined
      : await createKey(storage, operatorStore(storage.DB, id), { name: key })
  return {
    json: {
      id,
      name,
      database,
      ...(schemas !== undefined && { schemas: kinds }),
      ...(email !== undefined && { admin: email }),
      ...(newKey && { key: newKey }),
    },
    lines: [
      `${id} added.`,
      ...(schemas === undefined ? [] : [`${schemas}: ${kinds} schemas imported.`]),
      ...(email === undefined ? [] : [`${email} added as admin.`]),
      ...(newKey ? [newKey.key, 'Keep it safe: it is not shown again.'] : []),
    ],
  }
}

/** Imports a file of schemas, or only checks it. Returns their number. Throws CommandError with its errors. */
async function writeSchemas(
  db: D1Database,
  organisationId: string,
  path: string,
  options: { dry: boolean },
): Promise<number> {
  const { records, errors } = await importSchemas(fileSource(path), db, organisationId, options)
  if (errors.length > 0) throw new CommandError(formatErrorLines(path, errors).join('\n'))
  return records
}
