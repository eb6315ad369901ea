import { isPrintableAscii } from '../../platform/ascii.ts'
import type { ValueType } from '../value-types.ts'
import { fieldTypes, isFreeText } from './field-types.ts'
import type { Field } from './schema.ts'

/** The contact details that the name of a field can reveal. */
export const contactDetails = ['email', 'phone', 'postcode', 'date of birth', 'names'] as const
export type ContactDetail = (typeof contactDetails)[number]

/** What keys can hide by the name of a field: a contact detail, or data of UK GDPR Articles 9 and 10 and benefits. */
type SensitiveDetail = ContactDetail | 'special category'

type Rule = { include: RegExp; exclude?: RegExp }

/**
 * Words in the names of fields that may hold a detail, and phrases to ignore. Keys hide fields by
 * these words, so a doubtful field counts, and an ignored phrase must be unambiguous.
 */
const rules: Record<SensitiveDetail, Rule> = {
  email: {
    include: /email|\be mail|\bcontact (?:details|info)/,
    exclude:
      /\b(?:e ?mails? (?:sent|received|opened|clicked|bounced|campaigns?|templates?)|emailed)$/g,
  },
  phone: {
    include:
      /phone|\b(?:mobile|mob|tel|cell|landline|whats ?app|sms|fax)(?:s|nos?|num|number)?\b|\b(?:contact|home|work|office|day|daytime|evening|emergency) (?:nos?|numbers?)\b|\b(?:contact (?:details|info)|emergency contact|next of kin)/,
    exclude:
      /(?:\b(?:mobile |cell |smart ?)?phone|\bmobile) (?:models?|makes?|brands?|credit|contracts?|networks?|providers?|bills?|top ?ups?|apps?)$|(?:micro|head|ear|mega|saxo|xylo)phones?\b/g,
  },
  postcode: {
    include: /(?:post|postal|zip) ?code|\bzip\b|address(?!e[de]|ing)|\bcontact (?:details|info)/,
    exclude: /e ?mail ?address(?:es)?|\b(?:ip|web|website) address(?:es)?/g,
  },
  'date of birth': {
    include: /birth|\b(?:born|d ?o ?b|do b)\b/,
    exclude:
      /birth ?(?:places?|town|city|country|certificates?|weight|name|surname)\b|^(?:place|town|city|country) of birth$|(?:name|sex|gender|weight)(?: assigned)? at birth$|\b(?:child|still|re)birth/g,
  },
  names: {
    include:
      /names?\b|\bname(?!d|plate|sake|space|less|ly)|\b(?:forenames?|initials|known as|goes by|alias(?:es)?|signature|salutation|addressee|named (?:contact|person|worker)|next of kin|emergency contact|contact (?:details|person|info))\b|^(?:(?:mother|father|parent|guardian|carer)s?(?: and | or |$))+$/,
  },
  'special category': {
    include:
      /ethnic|\brac(?:e|ial)\b|nationalit|national origin|country of birth|(?:asylum|refugee|immigration)|religio|\b(?:faith|beliefs?|church|mosque)\b|politic|trade union|union member|sexual|\b(?:sexuality|lgbt\w*|trans|transgender)\b|gender (?:identity|reassignment)|same (?:sex|gender)|disab|impair|wheelchair|neurodiver|autis|adhd|\bsend?\b|health|medic|illness|diagnos|\bconditions?\b|allerg|diet|pregnan|mental|medication|disease|hiv|addict|substance|alcohol|\b(?:gp|nhs|doctor|hospital)\b|(?:access|support|additional|special|care) (?:needs?|requirements?)|benefits?\b|allowance|universal credit|free school meals?|\b(?:pip|dla|esa|jsa)\b|convict|criminal|offen[cd]|\bdbs\b|safeguarding|genetic|biometric/,
    exclude:
      /\brace (?:times?|numbers?|results?|day)\b|health and safety|terms and conditions|(?:gift aid|membership|member|tax) benefits?|medical school/g,
  },
}

/** Whether a field or question of this name may hold a detail of any person. */
export function nameMayHold(detail: SensitiveDetail, name: string): boolean {
  const words = toWords(name.replaceAll(/[/&,+]/g, ' and ').replaceAll(/\p{N}+/gu, ' '))
  const { include, exclude } = rules[detail]
  return include.test(exclude ? words.replaceAll(exclude, ' ') : words)
}

/** Whether a field may hold a contact detail, by its type, id, name or label. */
export function fieldMayHold(detail: ContactDetail, field: Field): boolean {
  const { id, name, label, type } = field
  if (typeHolds(detail, field)) return true
  return !fieldTypes[type].isClosed && [id, name, label].some((text) => nameMayHold(detail, text))
}

/** Whether a field or column of this name may hold a consent, or a wish not to be contacted. */
export const nameMayHoldConsent = (name: string): boolean => {
  const words = toWords(name)
  return consentWords.test(words) || permissionQuestion.test(words)
}

/** Whether a field holds an answer to a question for consent: yes or no, or some of its options. */
export const isConsent = ({ id, name, label, type }: Field): boolean =>
  ['boolean', 'select', 'multipleSelect'].includes(type) &&
  [id, name, label].some(nameMayHoldConsent)

/** Whether a name mentions something that needs a consent, such as photos or e-mails. */
export const nameNeedsConsent = (name: string): boolean => consentSubject.test(toWords(name))

const consentWords =
  /\b(?:consent(?:s|ed)?|gdpr|data protection|privacy|permissions?|unsubscribed?|subscribed|newsletters?|mailing list|marketing|contact preferences?)\b|\bopt(?:s|ed)? ?(?:in|out)\b/

const subjects =
  'e ?mail(?:s|ed)?|mail(?:ings?)?|post|letters?|(?:tele)?phoned?|sms|texts?|texted|whats ?app|contact(?:ed)?|photos?|photograph(?:s|ed|y)?|pictures?|images?|videos?|film(?:s|ed|ing)?|recorded|publicity|(?:social )?media|news|updates|shar(?:e|ed|ing)'
const consentSubject = new RegExp(`\\b(?:${subjects})\\b`)

/** "Call" counts only here: grants have an open call. "No" and "block" begin other names, too ("No. of letters"), so the subject follows at once. */
const permissionQuestion = new RegExp(
  [
    `\\b(?:ok|okay|happy|fine|willing|agree[sd]?|allow(?:s|ed)?|accepts?|do not|don t|dont|(?:can|may|could) (?:we|i)|would like)(?: \\w+){0,4}? (?:${subjects}|call(?:ed)?)\\b`,
    `\\b(?:block|no) (?:(?:be|bulk|direct|receive|us(?:e|ing)) )*(?:${subjects}|calls?)\\b`,
  ].join('|'),
)

/** Whether a field may hold special category data, by its type, id, name or label. */
export const fieldIsSpecial = ({ id, name, label, type }: Field): boolean =>
  fieldTypes[type].isSpecialCategory === true ||
  [id, name, label].some((text) => nameMayHold('special category', text))

export const typeHolds = (detail: ContactDetail, { type }: Pick<Field, 'type'>): boolean =>
  fieldTypes[type].contactDetail === detail

/** Whether a field holds a contact detail: by its type, or as a text with such a name. */
export const holds = (detail: ContactDetail, field: Field): boolean =>
  typeHolds(detail, field) || (isFreeText(field) && fieldMayHold(detail, field))

/** Whether a field or property holds dates of birth, of which pages also show the ages. */
export const isBirthDate = ({ type, id = '', name, label }: NamedDate): boolean =>
  type === 'date' && [id, name, label].some((text) => nameMayHold('date of birth', text))

/** Whether only past dates can be in a field, such as those of births or registrations. */
export const isPastDate = (field: NamedDate): boolean => {
  const names = [field.id ?? '', field.name, field.label].map(toWords)
  if (field.type !== 'date' || names.some((words) => futureWords.test(words))) return false
  return isBirthDate(field) || names.some((words) => pastWords.test(words))
}

const pastWords =
  /\b(?:joined|joining|registered|registration|member since|signed up|referred|added)\b/
const futureWords = /\b(?:due|expected|expir\w*|ends?|renew\w*|next|until|review)\b/

type NamedDate = { type: ValueType | Field['type']; id?: string; name: string; label: string }

/** The usual names of a person's own details. */
const usualNames = [
  ['Full Name', /^(?:(?:full|display) ?)?names?(?: of member)?$/],
  ['First Name', /^(?:(?:first|fore|given|christian) ?names?(?: s)?|fname)$/],
  ['Surname', /^(?:(?:sur|last ?|family ?)names?|lname)$/],
  ['Middle Name', /^middle ?names?$/],
  ['Known As', /^(?:(?:also )?known as|goes by|(?:preferred|nick) ?names?)$/],
  [
    'Former Name',
    /^(?:(?:maiden|birth|previous|former) ?(?:sur|last |family )?names?|(?:sur|last |family )?name at birth)$/,
  ],
  ['Other Name', /^other ?(?:fore)?names?$/],
  ["Mother's Name", /^(?:mother|mum)(?: ?s)? (?:full )?name$/],
  ["Father's Name", /^(?:father|dad)(?: ?s)? (?:full )?name$/],
  ["Parent's Name", /^(?:parent|guardian|carer)(?: ?s)? (?:full )?name$/],
  ['Email', /^e ?mails?(?: ?address)?$/],
  ['Phone', /^(?:(?:tele)?phone|tel|landline)(?: ?(?:no|number))?$|^contact (?:no|number)$/],
  [
    'Mobile',
    /^(?:(?:mobile|mob)(?: ?(?:tele)?phone)?|cell ?phone|whats ?app)(?: ?(?:no|number))?$/,
  ],
  ['Postcode', /^(?:zip|(?:zip )?(?:post|postal|zip) ?code)$/],
  ['Date of Birth', /^(?:date ?of ?birth|birth ?da(?:te|y)|d ?o ?b|do b|born)$/],
] as const

export type UsualName = (typeof usualNames)[number][0]

/** The usual name of a person's own detail: "Email" for `E-Mail`, `email_address` and `Home Email 2`. */
export function usualName(name: string): UsualName | undefined {
  const plain = unqualifiedName(name)
  if (plain) return plain
  const words = toWords(withoutBrackets(name)).replace(/ ?\d{1,3}$/, '')
  const unqualified = words.replace(qualifiers, '').replace(/ primary$/, '')
  return findUsualName(words) ?? findUsualName(unqualified)
}

/** The usual name of a detail; undefined for a qualified name such as "Home Address". */
export const unqualifiedName = (name: string): UsualName | undefined => findUsualName(toWords(name))

function findUsualName(words: string): UsualName | undefined {
  const groups = anyUsualName.exec(words)?.slice(1) ?? []
  return usualNames[groups.findIndex((group) => group !== undefined)]?.[0]
}

// One pattern with a group for each name: a new isolate takes milliseconds to compile fifteen.
const anyUsualName = new RegExp(usualNames.map(([, { source }]) => `(${source})`).join('|'))

/** Whether a field of this name holds the name of a person or their parents, rather than of a school. */
export const isPersonName = (name: string): boolean => /name|known as/i.test(usualName(name) ?? '')

const qualifiers =
  /^(?:what is )?(?:(?:personal|home|main|primary|mailing|address|contact ?1?|attendee|buyer|member|client|volunteer|person|your) )+/

const withoutBrackets = (name: string) => name.replaceAll(/\([^()]*\)/g, ' ')

/** A name in lower case with single spaces: `dateOfBirth` and `DATE_OF_BIRTH` are "date of birth". */
export function toWords(name: string): string {
  const { betweenWords, separators } = isPrintableAscii(name) ? asciiPatterns : unicodePatterns
  return name.replaceAll(betweenWords, '$1 $2').toLowerCase().replaceAll(separators, ' ').trim()
}

// Both give the same words.
const asciiPatterns = { betweenWords: /([a-z])([A-Z])/g, separators: /[^a-z\d]+/g }
const unicodePatterns = { betweenWords: /(\p{Ll})(\p{Lu})/gu, separators: /[^\p{L}\p{N}]+/gu }
