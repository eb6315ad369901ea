import { type Command, Option } from 'commander'
import {
  readPublishing,
  saveGrantPublishing,
  saveSessionPublishing,
} from '../../src/publishing/settings.ts'
import type { Store } from '../../src/store/store.ts'

export type PublishingOptions = {
  publishGrants?: 'on' | 'off'
  grantsPrefix?: string
  grantsFunder?: string
  grantsLicence?: string
  grantsFrom?: string
  grantsFunds?: string
  publishSessions?: 'on' | 'off'
}

/** Adds the options of `organisation set` for open data. */
export const addPublishingOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--publish-grants <state>', 'publish the grants as open data').choices([
        'on',
        'off',
      ]),
    )
    .option('--grants-prefix <prefix>', 'your prefix of 360Giving, such as 360G-example')
    .option('--grants-funder <id>', 'your own id by org-id.guide, such as GB-CHC-1234567')
    .option('--grants-licence <address>', 'address of the licence')
    .option('--grants-from <day>', 'the first award date, such as 2026-04-01')
    .option('--grants-funds <ids>', 'only grants from these funds, with commas')
    .addOption(
      new Option(
        '--publish-sessions <state>',
        'publish the sessions as open data, while the public pages are on',
      ).choices(['on', 'off']),
    )

/** Whether an option for published grants is set. */
export const hasGrantOptions = (options: PublishingOptions): boolean =>
  Object.values(pickSettings(options)).some((value) => value !== undefined)

/** Changes the settings that the options name; an empty value removes a setting. Returns whether the grants are public. */
export async function changeGrants(store: Store, options: PublishingOptions): Promise<boolean> {
  const { publishing } = await readPublishing(store)
  const changed = Object.entries(pickSettings(options)).filter(([, value]) => value !== undefined)
  const settings = Object.fromEntries(
    changed.map(([name, value]) => [name, value === '' ? undefined : value]),
  )
  await saveGrantPublishing(store, { ...publishing.grants, ...settings })
  return (settings.isOn ?? publishing.grants.isOn) === true
}

/** Changes whether the sessions are public if the option says so. */
export async function changeSessions(
  store: Store,
  { publishSessions }: PublishingOptions,
): Promise<void> {
  if (publishSessions) await saveSessionPublishing(store, publishSessions === 'on')
}

const pickSettings = (options: PublishingOptions) => ({
  isOn: options.publishGrants && options.publishGrants === 'on',
  prefix: options.grantsPrefix,
  funder: options.grantsFunder,
  licence: options.grantsLicence,
  from: options.grantsFrom,
  funds: options.grantsFunds ? split(options.grantsFunds) : options.grantsFunds,
})

const split = (text: string) => text.split(',').map((id) => id.trim())
