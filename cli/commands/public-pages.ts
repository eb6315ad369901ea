import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { saveBooksAllDates, saveEventQuestions } from '../../src/sign-up/event-questions.ts'
import { readPublicPages, savePublicPages } from '../../src/sign-up/public-pages.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import type { Store } from '../../src/store/store.ts'
import { CommandError } from '../terminal/report.ts'
import { organisationAction } from './action.ts'
import {
  addPublishingOptions,
  changeGrants,
  changeSessions,
  hasGrantOptions,
  type PublishingOptions,
} from './publishing.ts'

type PageOptions = {
  publicPages?: 'on' | 'off'
  signUpFields?: string
  optionalSignUpFields?: string
  privacyNotice?: string
  frame?: string
  colour?: string
  logo?: string
  contactEmail?: string
  contactPhone?: string
  consent?: string
  offerHours?: string
  reminders?: 'on' | 'off'
  exitLink?: 'on' | 'off'
}

type SettingOptions = PageOptions & PublishingOptions

/** `organisation set`: the settings of the public pages and of open data. */
export function publicPagesCommand(organisation: Command): void {
  const command = organisation
    .command('set <id>')
    .description(
      'Change the public pages and the open data of an organisation. An empty value removes a setting.',
    )
    .addOption(new Option('--public-pages <state>', 'switch them on or off').choices(['on', 'off']))
    .option('--sign-up-fields <ids>', 'fields that everyone who signs up must fill in, with commas')
    .option('--optional-sign-up-fields <ids>', 'fields that they may leave empty, with commas')
    .option('--privacy-notice <address>', 'address of your privacy notice, such as https://…')
    .option('--frame <origins>', 'sites that may embed the pages, with commas')
    .option('--colour <colour>', 'your colour, such as #3366cc')
    .option('--logo <file>', 'your logo, a PNG of at most 64 KiB')
    .option('--contact-email <address>', 'email address for questions')
    .option('--contact-phone <number>', 'telephone number for questions')
    .option('--consent <text>', 'text that people must agree to')
    .option('--offer-hours <hours>', 'how long a free place is held for the next who waits')
    .addOption(
      new Option('--reminders <state>', 'remind people the day before').choices(['on', 'off']),
    )
    .addOption(
      new Option('--exit-link <state>', 'let people leave the pages quickly').choices([
        'on',
        'off',
      ]),
    )
  addPublishingOptions(command).action(
    organisationAction<SettingOptions>(async ({ DB }, [id = ''], options) => {
      const store = operatorStore(DB, id)
      const isPublished = hasGrantOptions(options) ? await changeGrants(store, options) : undefined
      const isOn = await changePublicPages(store, id, DB, options)
      const { publishSessions } = options
      await changeSessions(store, options)
      return {
        json: {
          id,
          publicPages: isOn ? 'on' : 'off',
          ...(isPublished !== undefined && { publishGrants: isPublished ? 'on' : 'off' }),
          ...(publishSessions && { publishSessions }),
        },
        lines: [
          isOn
            ? `The public pages of ${id} are on: /o/${id}`
            : `The public pages of ${id} are off.`,
          ...(isPublished === undefined ? [] : [describePublishing(id, isPublished)]),
          ...(publishSessions ? [describeSessions(id, publishSessions === 'on', isOn)] : []),
        ],
      }
    }),
  )
}

const describePublishing = (id: string, isPublished: boolean) =>
  isPublished
    ? `The grants of ${id} are public: /o/${id}/grants.json`
    : `The grants of ${id} are not public.`

function describeSessions(id: string, isPublished: boolean, hasPages: boolean): string {
  if (!isPublished) return `The sessions of ${id} are not public.`
  return hasPages
    ? `The sessions of ${id} are public: /o/${id}/openactive`
    : `The sessions of ${id} become public when its public pages are on.`
}

/** Changes the settings that the options name. Returns whether the pages are on. */
async function changePublicPages(
  store: Store,
  id: string,
  DB: D1Database,
  options: PageOptions,
): Promise<boolean> {
  const { enabled, settings } = await readPublicPages(store)
  const { members = { name: '', fields: [] } } = await readSchemas(DB, id)
  const isOn = options.publicPages ? options.publicPages === 'on' : enabled
  await savePublicPages(store, members, {
    enabled: isOn,
    settings: { ...settings, ...toSettings(options, settings.signUpFields) },
    ...(options.logo !== undefined && { logo: await readLogoFile(options.logo) }),
  })
  return isOn
}

/** The settings that the options name; undefined for a removed one. */
function toSettings(options: PageOptions, fields: { id: string; required: boolean }[]) {
  const { privacyNotice, colour, contactEmail, contactPhone, consent, frame, offerHours } = options
  const texts = { privacyNotice, colour, contactEmail, contactPhone, consentText: consent }
  const list = (text: string | undefined, required: boolean) =>
    text === undefined
      ? fields.filter((field) => field.required === required)
      : split(text).map((id) => ({ id, required }))
  return {
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, text || undefined]],
      ),
    ),
    ...(frame !== undefined && { frameAncestors: split(frame) }),
    ...(offerHours !== undefined && { offerHours: offerHours ? Number(offerHours) : undefined }),
    ...(options.reminders !== undefined && {
      remindsDayBefore: options.reminders === 'on' || undefined,
    }),
    ...(options.exitLink !== undefined && { hasExitLink: options.exitLink === 'on' || undefined }),
    signUpFields: [
      ...list(options.signUpFields, true),
      ...list(options.optionalSignUpFields, false),
    ],
  }
}

const split = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

async function readLogoFile(path: string): Promise<Uint8Array | null> {
  if (path === '') return null
  return readFile(path).catch(() => {
    throw new CommandError(`--logo: ${path} cannot be read.`)
  })
}

type EventOptions = { allDates: 'on' | 'off' }

/** `event`: the questions that an event asks besides the sign-up fields, and sign-ups for all dates of a series. */
export function eventCommands(program: Command): void {
  const event = program.command('event').description('Manage the sign-up forms of events.')
  event
    .command('set <organisation> <series>')
    .description('Change the sign-up form of a series.')
    .addOption(
      new Option('--all-dates <state>', 'let people sign up for all dates at once')
        .choices(['on', 'off'])
        .makeOptionMandatory(),
    )
    .action(
      organisationAction<EventOptions>(
        async ({ DB }, [organisationId = '', eventId = ''], { allDates }) => {
          await saveBooksAllDates(operatorStore(DB, organisationId), eventId, allDates === 'on')
          return {
            json: { eventId, allDates },
            lines: [`Sign-ups for all dates of ${eventId} are ${allDates}.`],
          }
        },
      ),
    )
  event
    .command('ask <organisation> <event> <file>')
    .description("Replace an event's own questions by those of a JSON file; [] for none.")
    .action(
      organisationAction(async ({ DB }, [organisationId = '', eventId = '', path = '']) => {
        const questions = await readJson(path)
        await saveEventQuestions(operatorStore(DB, organisationId), eventId, questions)
        return { json: { eventId, questions }, lines: [`The questions of ${eventId} are changed.`] }
      }),
    )
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw new CommandError(`${path} cannot be read as JSON.`)
  }
}
