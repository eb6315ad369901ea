import { Buffer } from 'node:buffer'
import { serialiseMapping } from '../../import/mapping/mapping.ts'
import { collectionTitle } from '../../model/collection.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { formatErrors } from '../../model/validation-error.ts'
import { saveBooksAllDates, saveEventQuestions } from '../../sign-up/event-questions.ts'
import { checkSettings, savePublicPages } from '../../sign-up/public-pages.ts'
import { listMappings, saveMapping } from '../../store/imports/mappings.ts'
import {
  defaultVersionDays,
  readOrganisation,
  setVersionDays,
} from '../../store/settings/organisation.ts'
import { findPublicPages } from '../../store/settings/public-pages.ts'
import { describeRetentionRule, listRules, setRule } from '../../store/settings/retention.ts'
import { createSavedView, listAllSavedViews } from '../../store/settings/saved-views.ts'
import { listEventQuestions } from '../../store/sign-up/event-questions.ts'
import type { Store } from '../../store/store.ts'
import { listDateFields } from './date-fields.ts'
import type { SettingsFile } from './settings-file.ts'

/** A setting of a file: whether the organisation has one already, why it does not fit the organisation, and how to restore it. */
export type PlannedSetting = {
  label: string
  exists: boolean
  obstacle?: string | undefined
  restore: () => Promise<unknown>
}

/** The organisation that receives settings, with its schemas. */
export type SettingsDestination = {
  store: Store
  schemas: Partial<Record<Kind, Schema>>
}

/** Compares the settings of a file with those of an organisation. Writes nothing. */
export const planSettings = async (
  file: SettingsFile,
  destination: SettingsDestination,
): Promise<PlannedSetting[]> => [
  ...(await planVersionDays(file, destination)),
  ...(await planRetention(file, destination)),
  ...(await planPublicPages(file, destination)),
  ...(await planEventQuestions(file, destination)),
  ...(await planSavedViews(file, destination)),
  ...(await planMappings(file, destination)),
]

async function planVersionDays(
  { versionDays }: SettingsFile,
  { store }: SettingsDestination,
): Promise<PlannedSetting[]> {
  const current = await readOrganisation(store)
  if (versionDays === undefined || versionDays === current.versionDays) return []
  return [
    {
      label: `previous versions for ${versionDays} days`,
      exists: current.versionDays !== defaultVersionDays,
      restore: () => setVersionDays(store, versionDays),
    },
  ]
}

async function planRetention(
  { retention }: SettingsFile,
  { store, schemas }: SettingsDestination,
): Promise<PlannedSetting[]> {
  const rules = await listRules(store)
  return Promise.all(
    retention.map(async (rule) => {
      const dates = await listDateFields(rule.collection, schemas)
      return {
        label: `retention of ${describeRetentionRule(rule)}`,
        exists: rules.some(({ collection }) => collection === rule.collection),
        obstacle: dates.includes(rule.field)
          ? undefined
          : `the ${collectionTitle(rule.collection)} have no date ${rule.field}.`,
        restore: () => setRule(store, rule),
      }
    }),
  )
}

/** The pages are restored switched off: somebody must look at them before they are public again. */
async function planPublicPages(
  { publicPages }: SettingsFile,
  { store, schemas }: SettingsDestination,
): Promise<PlannedSetting[]> {
  if (!publicPages) return []
  const { settings, logo } = publicPages
  const schema = schemas.members ?? { name: '', fields: [] }
  const errors = checkSettings(settings, schema, false)
  const input = {
    enabled: false,
    settings,
    ...(logo !== undefined && { logo: Buffer.from(logo, 'base64') }),
  }
  return [
    {
      label: 'public pages',
      exists: (await findPublicPages(store)) !== undefined,
      obstacle: errors.length > 0 ? formatErrors(errors) : undefined,
      restore: () => savePublicPages(store, schema, input),
    },
  ]
}

async function planEventQuestions(
  { eventQuestions }: SettingsFile,
  { store }: SettingsDestination,
): Promise<PlannedSetting[]> {
  const existing = await Array.fromAsync(listEventQuestions(store))
  const events = new Set(existing.map(({ eventId }) => eventId))
  return eventQuestions.map(({ eventId, questions, booksAllDates }) => ({
    label: `questions of event ${eventId}`,
    exists: events.has(eventId),
    async restore() {
      if (booksAllDates) await saveBooksAllDates(store, eventId, true)
      await saveEventQuestions(store, eventId, questions)
    },
  }))
}

async function planSavedViews(
  { savedViews }: SettingsFile,
  { store }: SettingsDestination,
): Promise<PlannedSetting[]> {
  const views = await listAllSavedViews(store)
  return savedViews.map((view) => ({
    label: `saved view “${view.name}” of ${view.page}`,
    exists: views.some(({ page, name }) => page === view.page && name === view.name.trim()),
    restore: () => createSavedView(store, view),
  }))
}

async function planMappings(
  { importMappings }: SettingsFile,
  { store }: SettingsDestination,
): Promise<PlannedSetting[]> {
  const mappings = await listMappings(store)
  // The last used is saved last, because the oldest are deleted first.
  return importMappings.toReversed().map(({ headings, mapping }) => ({
    label: `mapping of files of ${mapping.collection} (${headings.slice(0, 8)}…)`,
    exists: mappings.some((existing) => existing.headings === headings),
    restore: () => saveMapping(store, headings, serialiseMapping(mapping)),
  }))
}
