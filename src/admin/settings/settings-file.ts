import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { permissions, validatePermissions } from '../../access/permissions.ts'
import { restrictionsType } from '../../access/restrictions.ts'
import { Mapping } from '../../import/mapping/mapping.ts'
import { Age } from '../../model/age-input.ts'
import { collectionNames } from '../../model/collection.ts'
import { messages } from '../../model/validation-error.ts'
import { EventQuestions } from '../../sign-up/event-questions.ts'
import { checkLogo, PublicPages } from '../../sign-up/public-pages.ts'
import { maxMappings } from '../../store/imports/mappings.ts'
import {
  maxNameLength,
  maxQueryLength,
  maxViews,
  viewPages,
} from '../../store/settings/saved-views.ts'
import { changeNames } from '../../webhooks/message.ts'

const maxKeys = 10_000
const maxEvents = 100_000

const text = (max: number) => z.string(messages.text).max(max, messages.maxCharacters(max))
const notEmpty = (max: number) => text(max).min(1, messages.notEmpty)
const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(item, messages.list).max(max, `must be a list of at most ${max}.`)
const settingsOf = <Item extends z.ZodType>(item: Item, max: number) =>
  listOf(item, max).default([])

const collection = z.enum(collectionNames, messages.oneOf(collectionNames))

const RetentionRule = z.strictObject({ collection, field: notEmpty(500), age: Age })

const Logo = z.base64('must be Base64.').superRefine((value, context) => {
  for (const { message } of checkLogo(Buffer.from(value, 'base64'))) context.addIssue(message)
})

/** A key without its secret, hash and prefix. */
const ExportedKey = z.strictObject({
  name: text(1000),
  permissions: listOf(z.enum(permissions, messages.oneOf(permissions)), permissions.length).refine(
    (list) => validatePermissions(list) === undefined,
    { error: ({ input }) => validatePermissions(Array.isArray(input) ? input : []) ?? '' },
  ),
  restrictions: restrictionsType((values) =>
    values
      ? listOf(z.enum(values, messages.oneOf(values)), values.length)
      : listOf(notEmpty(500), 1000),
  ),
  expires: z.iso.datetime(messages.time).nullable(),
  state: z.enum(['active', 'revoked', 'expired'], messages.oneOf(['active', 'revoked', 'expired'])),
})

/** A webhook without its secret. Of its address there is only the host, because the rest may be secret. */
const ExportedWebhook = z.strictObject({
  host: text(300).regex(/^[\w.:[\]-]+$/, 'must be a host, such as hooks.example.org.'),
  collections: listOf(collection, collectionNames.length).min(1, messages.notEmpty),
  changes: listOf(z.enum(changeNames, messages.oneOf(changeNames)), changeNames.length).min(
    1,
    messages.notEmpty,
  ),
  state: z.enum(['active', 'paused', 'disabled'], messages.oneOf(['active', 'paused', 'disabled'])),
})

/** The settings of an organisation, as `settings.json` in an export. It has no secrets and no users. */
export const SettingsFile = z.strictObject({
  managedBy: notEmpty(64),
  name: text(1000).optional(),
  versionDays: z
    .int('must be a whole number.')
    .min(0, 'must be at least 0.')
    .max(90, 'must be at most 90.')
    .optional(),
  retention: settingsOf(RetentionRule, collectionNames.length).refine(
    (rules) => new Set(rules.map((rule) => rule.collection)).size === rules.length,
    'must have at most one rule for each collection.',
  ),
  publicPages: z
    .strictObject({
      enabled: z.boolean(messages.boolean),
      settings: PublicPages,
      logo: Logo.optional(),
    })
    .optional(),
  eventQuestions: settingsOf(
    z.strictObject({
      eventId: notEmpty(500),
      questions: EventQuestions,
      booksAllDates: z.boolean(messages.boolean).default(false),
    }),
    maxEvents,
  ),
  savedViews: settingsOf(
    z.strictObject({
      page: z.enum(viewPages, messages.oneOf(viewPages)),
      name: notEmpty(maxNameLength),
      query: text(maxQueryLength),
    }),
    maxViews,
  ),
  importMappings: settingsOf(
    z.strictObject({
      headings: z.string(messages.text).regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest.'),
      mapping: Mapping,
    }),
    maxMappings,
  ),
  keys: settingsOf(ExportedKey, maxKeys),
  webhooks: settingsOf(ExportedWebhook, maxKeys),
})

export type SettingsFile = z.output<typeof SettingsFile>
export type ExportedKey = z.output<typeof ExportedKey>
export type ExportedWebhook = z.output<typeof ExportedWebhook>
