import { formatCount, pluralise } from '../platform/pluralise.ts'
import { type Application, findRegister, type RecipientType, recipientId } from './grant.ts'

/** What a check needs besides the application. */
type Circumstances = {
  prefix: string
  hasDescriptions: boolean
  /** A day in UK time. */
  today: string
}

/** Something that keeps a grant from being published. */
export type PublishingProblem = {
  /** The problem with the number of its grants, such as "2 award dates are in the future". */
  describe(count: number): string
  /** What to do about it. */
  advice: string
  /** The type of recipient whose grants can have the problem; undefined for all. */
  recipient?: RecipientType
  isPresent(application: Application, circumstances: Circumstances): boolean
}

const grants = (count: number, one: string, several: string) =>
  `${formatCount(count, 'grant')} ${pluralise(count, one, several)}`

const emailAddress = /[^\s@<>()]{1,64}@[^\s@<>()]{1,255}\.[a-z]{2,}/i

/** The UK's registers of organisations in org-id.guide. */
const ukRegisters = new Set(
  'CASC CHC COH COOP EDU FCA GOR GOV GOVUK IRN LAE LANI LAS MPR NHS NIC NIEDU PLA REV SC SCOTEDU SHPE UKPRN WALEDU'.split(
    ' ',
  ),
)

/**
 * Everything that keeps a grant from being published: what the 360Giving Data Standard demands, and the checks of
 * 360Giving's quality tool that concern data. In the order of the page.
 */
export const problems: readonly PublishingProblem[] = [
  {
    describe: (count) =>
      grants(count, 'does not say who receives it', 'do not say who receives them'),
    advice: 'Say whether it is an organisation or an individual.',
    recipient: 'unknown',
    isPresent: () => true,
  },
  {
    describe: (count) =>
      grants(count, 'lacks the recipient’s number', 'lack the recipient’s number'),
    advice: 'Add a charity or company number, or your own id for the organisation.',
    recipient: 'organisation',
    isPresent: (application, { prefix }) => recipientId(application, prefix) === undefined,
  },
  {
    describe: (count) => grants(count, 'lacks the recipient’s name', 'lack the recipient’s name'),
    advice: 'Add the name of the organisation.',
    recipient: 'organisation',
    isPresent: ({ recipient }) => recipient.name === '',
  },
  {
    describe: (count) =>
      `${formatCount(count, 'charity or company number')} ${pluralise(count, 'has', 'have')} the wrong form`,
    advice: 'Such as 1123456 or SC012345 for a charity, 01234567 for a company.',
    recipient: 'organisation',
    isPresent: ({ recipient }) =>
      recipient.registeredId !== '' &&
      /charity|company/i.test(recipient.registrationType) &&
      findRegister(recipient) === undefined,
  },
  {
    describe: (count) =>
      `${formatCount(count, 'recipient id')} ${pluralise(count, 'begins', 'begin')} with an unknown register`,
    advice: 'Ids by org-id.guide begin with a register, such as GB-CHC.',
    isPresent({ recipient }) {
      const register = /^GB-([A-Z\d]+)-/.exec(recipient.organisationId)?.[1]
      return register !== undefined && !ukRegisters.has(register)
    },
  },
  {
    describe: (count) => grants(count, 'has no title', 'have no title'),
    advice: 'Say in one line what the grant is for.',
    recipient: 'organisation',
    isPresent: ({ title }) => title === '',
  },
  {
    describe: (count) => grants(count, 'has no description', 'have no description'),
    advice: 'Add one, or publish without descriptions.',
    recipient: 'organisation',
    isPresent: ({ description }, { hasDescriptions }) => hasDescriptions && description === '',
  },
  {
    describe: (count) =>
      `${formatCount(count, 'title')} ${pluralise(count, 'is', 'are')} the same as the description`,
    advice: 'A short title helps readers.',
    recipient: 'organisation',
    isPresent: ({ title, description }, { hasDescriptions }) =>
      hasDescriptions && title !== '' && title === description,
  },
  {
    describe: (count) => grants(count, 'has no award date', 'have no award date'),
    advice: 'Add the day of the decision.',
    isPresent: ({ dates }) => !dates.awarded,
  },
  {
    describe: (count) =>
      `${formatCount(count, 'award date')} ${pluralise(count, 'is', 'are')} in the future`,
    advice: 'Correct the day of the decision.',
    isPresent: ({ dates }, { today }) => (dates.awarded ?? '').slice(0, 10) > today,
  },
  {
    describe: (count) =>
      `${formatCount(count, 'award date')} ${pluralise(count, 'is', 'are')} before 1900`,
    advice: 'Correct the day of the decision.',
    isPresent: ({ dates }) => Boolean(dates.awarded) && (dates.awarded ?? '') < '1900',
  },
  {
    describe: (count) => grants(count, 'has no amount', 'have no amount'),
    advice: 'Add the amount awarded.',
    isPresent: ({ amountAwarded }) => !((amountAwarded ?? 0) > 0),
  },
  {
    describe: (count) => grants(count, 'has no known currency', 'have no known currency'),
    advice: 'A code of three letters, such as GBP.',
    isPresent: ({ currency }) => !isCurrency(currency),
  },
  {
    describe: (count) =>
      `${formatCount(count, 'text')} ${pluralise(count, 'has', 'have')} an e-mail address`,
    advice: 'It would become public: remove it.',
    recipient: 'organisation',
    isPresent({ title, description, recipient }, { hasDescriptions }) {
      const published = [title, recipient.name, ...(hasDescriptions ? [description] : [])]
      return published.some((text) => emailAddress.test(text))
    },
  },
]

let currencies: Set<string> | undefined

function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

/** The problems of an application's grant to a type of recipient. */
export const findProblems = (
  application: Application,
  type: RecipientType,
  circumstances: Circumstances,
): readonly PublishingProblem[] =>
  problems.filter(
    ({ recipient = type, isPresent }) =>
      recipient === type && isPresent(application, circumstances),
  )
