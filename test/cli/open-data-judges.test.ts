import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoRecords } from '../../bench/load/demo-records.ts'
import { saveSessionPublishing } from '../../src/publishing/settings.ts'
import { savePublicPages } from '../../src/sign-up/public-pages.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { localWorker } from './local-worker.ts'
import { temporaryFolder } from './temporary-folder.ts'

const isLong = process.env.MODE === 'long'

/** OpenActive's validators and a parser of iCalendar. Their dependencies are old, so they are installed outside of the project. */
const packages = [
  '@openactive/rpde-validator@3.0.3571',
  '@openactive/data-model-validator@3.0.3',
  'ical.js@2.2.1',
]

type Finding = { severity: string; type: string; path?: string; message: string }

type Judges = {
  checkFeed(address: string): Promise<Finding[]>
  checkData(data: object, validationMode: string): Promise<Finding[]>
  parseCalendar(text: string): Promise<string[]>
}

const folder = isLong ? await temporaryFolder() : ''
const worker = isLong ? await localWorker() : undefined

async function installJudges(): Promise<Judges> {
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts']
  const { NODE_OPTIONS: _, ...env } = process.env
  await promisify(execFile)('npm', ['install', ...options, ...packages], { env })
  const load = createRequire(join(folder, 'judge.js'))
  const { RpdeValidator } = load('@openactive/rpde-validator')
  const { validate } = load('@openactive/data-model-validator')
  const parser = join(folder, 'node_modules', 'ical.js', 'dist', 'ical.js')
  const { default: ical } = await import(pathToFileURL(parser).href)
  return {
    async checkFeed(address) {
      const log = await RpdeValidator(address, { pageLimit: 50 })
      return log.pages.flatMap(({ errors }: { errors: Finding[] }) => errors)
    },
    checkData: (data, validationMode) =>
      validate(data, { validationMode, loadRemoteJson: true, remoteJsonCachePath: folder }),
    async parseCalendar(text) {
      const calendar = new ical.Component(ical.parse(text))
      const events: { getFirstPropertyValue(name: string): unknown }[] =
        calendar.getAllSubcomponents('vevent')
      return events.map((event) => {
        const { startDate } = new ical.Event(event)
        return `${event.getFirstPropertyValue('summary')} ${startDate.toJSDate().toISOString()}`
      })
    },
  }
}

/** Whether the validator can read OpenActive's activity list: without it, every activity is unknown to it. */
const hasActivityList = () =>
  fetch('https://openactive.io/activity-list', { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const failures = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'failure')

const text = fc.constantFrom('Walk', 'Café, “brisk”; & warm', '5 < 6 > 4', '🎉 Party\nof two', '')

/** Events with any of what OpenActive needs, or without. */
const generatedEvent = fc.record({
  name: text,
  tags: fc.constantFrom(['walking'], ['Yoga', 'Food'], ['Food'], []),
  bookable: fc.boolean(),
  // The parser reads a time that the clock shows twice as the second; RFC 5545 says the first.
  hour: fc.integer({ min: 2, max: 23 }),
  minutes: fc.integer({ min: 0, max: 3000 }),
  series: fc.constantFrom(undefined, undefined, 0, 1, 2),
  description: text,
  price: fc.constantFrom(null, 0, 4.5),
  free: fc.boolean(),
  capacityTotal: fc.constantFrom(null, 0, 20),
  venue: fc.constantFrom({ name: 'Mill' }, { address: 'Row 1,', postcode: 'LS10 1LT' }, {}),
})

type GeneratedEvent = typeof generatedEvent extends fc.Arbitrary<infer Value> ? Value : never

function toRecord(
  {
    hour,
    minutes,
    series,
    price,
    free,
    capacityTotal,
    description,
    bookable,
    ...event
  }: GeneratedEvent,
  index: number,
) {
  const start = Date.UTC(2096, 9, 27 + (index % 60), hour)
  const isSeries = index < 3
  const document = {
    ...event,
    ...(isSeries && { tags: ['Walking'], venue: { name: 'Mill' } }),
    eventId: `generated-${index}`,
    bookable: bookable || isSeries,
    start: new Date(start).toISOString(),
    end: new Date(start + minutes * 60_000).toISOString(),
    parentEventId: series === undefined || isSeries ? null : `generated-${series}`,
    bookingDetails: { bookable: true, price, free: free || isSeries, capacityTotal, description },
  }
  return { id: document.eventId, document: JSON.stringify(document) }
}

describe.runIf(isLong)(
  'the events of the demo and generated ones',
  () => {
    const { env, organisationId, url } = worker ?? ({} as never)
    const address = `http://localhost:${url?.port}/o/${organisationId}`
    let judges: Judges
    let knowsActivities: boolean

    beforeAll(async () => {
      ;[judges, knowsActivities] = await Promise.all([installJudges(), hasActivityList()])
      const { schemas, records } = await demoRecords(organisationId)
      const store = administeredStore(env.DB, organisationId, 'a test')
      await savePublicPages(store, schemas.members, {
        enabled: true,
        settings: {
          signUpFields: [{ id: 'Full Name', required: true }],
          privacyNotice: 'https://charity.test/privacy',
        },
      })
      await saveSessionPublishing(store, true)
      const demo = (records.events ?? []).map((event) => ({
        id: String(event.eventId),
        // The demo is of the present, which the tests do not know.
        document: JSON.stringify({
          ...event,
          concluded: null,
          start: String(event.start).replace(/^\d{4}/, '2096'),
          end: String(event.end).replace(/^\d{4}/, '2096'),
        }),
      }))
      const generated = fc.sample(generatedEvent, 700).map(toRecord)
      for (const events of [
        demo,
        generated.slice(0, 250),
        generated.slice(250, 500),
        generated.slice(500),
      ])
        await putRecords(env.DB, organisationId, 'events', events)
    })

    /** Failures, besides those of an activity list that cannot be read. */
    const failuresOf = async (data: object, mode: string) =>
      failures(await judges.checkData(data, mode)).filter(
        ({ path }) => knowsActivities || !/\.activity\[\d+\]$/.test(path ?? ''),
      )

    test('OpenActive’s validators find no failure in the feed, its items and its dataset page', async () => {
      expect(failures(await judges.checkFeed(`${address}/openactive/sessions`))).toEqual([])
      const kinds = new Map<string, number>()
      for (let page = `${address}/openactive/sessions`; ; ) {
        const { next, items } = (await (await fetch(page)).json()) as {
          next: string
          items: { kind: string; data?: object }[]
        }
        for (const { kind, data } of items) {
          if (!data) continue
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
          expect([data, await failuresOf(data, 'RPDEFeed')]).toEqual([data, []])
        }
        if (next === page) break
        page = next
      }
      expect([...kinds.keys()].toSorted()).toEqual(['ScheduledSession', 'SessionSeries'])
      const dataset = await (await fetch(`${address}/openactive`)).text()
      const [, json = ''] = /<script type="application\/ld\+json">([^<]*)</.exec(dataset) ?? []
      expect(await failuresOf(JSON.parse(json), 'DatasetSite')).toEqual([])
    })

    test('a parser of iCalendar reads every public event', async () => {
      const page = await (await fetch(address)).text()
      const listed = [...page.matchAll(/<time datetime="([^"]+)">/g)].map(([, start]) => start)
      const events = await judges.parseCalendar(await (await fetch(`${address}/events.ics`)).text())
      expect(events.map((event) => event.split(' ').at(-1)).toSorted()).toEqual(listed.toSorted())
      expect(events.length).toBeGreaterThan(50)
    })
  },
  600_000,
)
