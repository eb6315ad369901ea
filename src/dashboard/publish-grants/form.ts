import type { Fund } from '../../publishing/grant.ts'
import { type GrantPublishing, licences } from '../../publishing/settings.ts'
import type { FormPart } from '../ui/fields-form.tsx'
import { type FieldValues, textOf, textsOf } from '../ui/form-values.ts'

/** What the form asks. */
export const publishingParts = (funds: readonly Fund[]): readonly FormPart[] => [
  {
    title: 'What is published',
    fields: [
      { name: 'isOn', label: 'The grants are public', tickedValue: 'on' },
      {
        name: 'from',
        label: 'Awarded since',
        help: 'Leave it empty to publish all.',
        attributes: { type: 'date' },
      },
      {
        name: 'funds',
        label: 'Funds (all, if you tick none)',
        options: funds.map(({ fundId, name }) => ({ value: fundId, label: name || fundId })),
        hasSeveral: true,
      },
      {
        name: 'hasIndividuals',
        label: 'Also grants to individuals: only amount, date, fund and district, never a name',
        tickedValue: 'on',
      },
      {
        name: 'hasDescriptions',
        label:
          'Include the descriptions. Read them first: applicants may have written about people',
        tickedValue: 'on',
      },
    ],
  },
  {
    title: 'Who publishes',
    fields: [
      {
        name: 'prefix',
        label: 'Your prefix of 360Giving',
        help: '360Giving assigns it to you, such as 360G-example. It begins the number of every grant.',
        attributes: { maxlength: 45, spellcheck: 'false' },
      },
      {
        name: 'funder',
        label: 'Your own number',
        help: 'With its register: GB-CHC-1234567 for a charity in England and Wales, GB-COH-01234567 for a company.',
        attributes: { maxlength: 60, spellcheck: 'false' },
      },
      {
        name: 'licence',
        label: 'Licence',
        help: 'Under the first two, anybody may use the data and must name you.',
        options: Object.entries(licences).map(([value, label]) => ({ value, label })),
      },
    ],
  },
]

/** The values of the form for settings. */
export const toValues = (grants: GrantPublishing): FieldValues => ({
  isOn: grants.isOn ? 'on' : '',
  from: grants.from ?? '',
  funds: grants.funds ?? [],
  hasIndividuals: grants.hasIndividuals ? 'on' : '',
  hasDescriptions: grants.hasDescriptions ? 'on' : '',
  prefix: grants.prefix ?? '',
  funder: grants.funder ?? '',
  licence: grants.licence,
})

/** The settings of a submitted form. An empty text means none. */
export function parseSettings(values: FieldValues): Record<keyof GrantPublishing, unknown> {
  const text = (name: string) => textOf(values, name).trim() || undefined
  const isTicked = (name: string) => textOf(values, name) === 'on'
  const funds = textsOf(values, 'funds')
  return {
    isOn: isTicked('isOn'),
    from: text('from'),
    funds: funds.length > 0 ? funds : undefined,
    hasIndividuals: isTicked('hasIndividuals'),
    hasDescriptions: isTicked('hasDescriptions'),
    prefix: text('prefix'),
    funder: text('funder'),
    licence: text('licence'),
  }
}
