import { groupErrors } from '../../import/report/error-collector.ts'
import { type ImportResult, writeNothing } from '../../import/report/import-result.ts'
import { readJsonFile } from '../../import/rows/json-file.ts'
import { type Source, UnreadableFileError, unreadable } from '../../import/source/source.ts'
import { ApiError } from '../../model/api-error.ts'
import { isObject } from '../../model/json.ts'
import { type ValidationError, validate } from '../../model/validation-error.ts'
import { listKeys } from '../../store/settings/list-keys.ts'
import { listWebhooks } from '../../store/webhooks/list-webhooks.ts'
import { hostOf } from '../../webhooks/address.ts'
import { planSettings, type SettingsDestination } from './plan-settings.ts'
import { type ExportedKey, type ExportedWebhook, SettingsFile } from './settings-file.ts'

/** The restored and the skipped settings of a file. */
export type RestoredSettings = {
  organisationId: string
  restored: string[]
  /** The settings that the organisation had already; they stay. */
  existing: string[]
  /** The settings that do not fit the organisation, each with the reason. */
  leftOut: string[]
  /** Whether the pages were public in the export. They are restored switched off. */
  hasClosedPages: boolean
  /** The active keys and the webhooks that somebody has to create again. */
  keys: ExportedKey[]
  webhooks: ExportedWebhook[]
}

/** An organisation's id as in the file, and whether to check only. */
type SettingsOptions = { exportedBy: string; dry: boolean }

/**
 * Imports `settings.json`: restores the settings that the organisation does not have yet, and lists the keys and
 * webhooks to create again. Writes nothing if the file has errors.
 */
export async function importSettings(
  source: Source,
  destination: SettingsDestination,
  { exportedBy, dry }: SettingsOptions,
): Promise<ImportResult & { settings?: RestoredSettings }> {
  const checked = checkFile(await readJsonFile(source), exportedBy)
  if ('errors' in checked) {
    const errors = groupErrors(checked.errors.map((error) => ({ line: 0, ...error })))
    return writeNothing({ records: 1, rejected: 1, errors })
  }
  const file = checked.value
  const settings = await newResult(file, destination)
  for (const { label, exists, obstacle, restore } of await planSettings(file, destination)) {
    if (exists) settings.existing.push(label)
    else if (obstacle !== undefined) settings.leftOut.push(`${label}: ${obstacle}`)
    else {
      const failure = dry ? undefined : await restore().then(() => undefined, toReason)
      if (failure === undefined) settings.restored.push(label)
      else settings.leftOut.push(`${label}: ${failure}`)
    }
  }
  const { restored, existing, leftOut } = settings
  settings.hasClosedPages &&= restored.includes('public pages')
  return {
    records: restored.length + existing.length + leftOut.length,
    rejected: 0,
    created: restored.length,
    updated: 0,
    unchanged: existing.length,
    errors: [],
    settings,
  }
}

function checkFile(
  input: unknown,
  exportedBy: string,
): { value: SettingsFile } | { errors: ValidationError[] } {
  if (input instanceof UnreadableFileError) return { errors: [unreadable(input.message)] }
  if (!isObject(input)) return { errors: [unreadable('is not a JSON object.')] }
  const checked = validate(SettingsFile, input)
  if ('errors' in checked || checked.value.managedBy === exportedBy) return checked
  return {
    errors: [{ field: 'managedBy', message: `must be ${exportedBy}.`, code: 'not_allowed' }],
  }
}

async function newResult(
  file: SettingsFile,
  { store }: SettingsDestination,
): Promise<RestoredSettings> {
  const { organisationId } = store
  const keys = await listKeys(store)
  const hosts = (await listWebhooks(store)).map(({ url }) => hostOf(url))
  return {
    organisationId,
    restored: [],
    existing: [],
    leftOut: [],
    hasClosedPages: file.publicPages?.enabled === true,
    keys: file.keys.filter(
      ({ name, state }) =>
        state === 'active' && !keys.some((key) => key.name === name && key.state === 'active'),
    ),
    webhooks: file.webhooks.filter(
      ({ host, state }) => state !== 'disabled' && !hosts.includes(host),
    ),
  }
}

/** Why a setting was refused, such as questions of an event that does not exist. */
function toReason(error: unknown): string {
  if (error instanceof ApiError) return error.message
  throw error
}
