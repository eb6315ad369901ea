import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { UnreadableFileError } from '../source/source.ts'
import { matchesName, respondentField } from './form-targets.ts'
import { areSimilar, canonicalName, normaliseHeading } from './heading-names.ts'
import { ambiguousNames, knownTargets } from './known-headings.ts'
import type { CellType, Lookup } from './mapping.ts'
import type { TableFacts } from './table-facts.ts'
import type { TargetField } from './target-fields.ts'

/** A column and one of its target fields. A column may fill several fields; several columns of one field are joined. */
export type Assignment = { heading: string; targetField: TargetField; as: CellType; by?: Lookup }

/**
 * Assigns columns to target fields: first by exact name, then by known headings, then by
 * similar name. First name and surname together also fill a full name.
 */
export function assignTargetFields(
  collection: string,
  headings: readonly string[],
  targetFields: readonly TargetField[],
): Assignment[] {
  const assignments: Assignment[] = []
  const isFilled = (targetField: TargetField) =>
    assignments.some((assignment) => assignment.targetField === targetField)
  const isAssigned = (heading: string) =>
    assignments.some((assignment) => assignment.heading === heading)
  // A "name" column of bookings is the event's name only if another column has the user's name.
  const isOtherName = ({ path }: TargetField) => {
    const distinguishing = ambiguousNames[collection]?.[path]
    return (
      distinguishing !== undefined &&
      !headings.some((heading) => normaliseHeading(heading) === distinguishing)
    )
  }
  const candidateFields = targetFields.filter((targetField) => !isOtherName(targetField))
  const questionFields = candidateFields.filter(({ question }) => question !== undefined)
  const recordFields = candidateFields.filter(({ question }) => question === undefined)
  const assign = (
    matches: (heading: string, targetField: TargetField) => boolean,
    candidates = recordFields,
  ) => {
    for (const heading of headings) {
      const targetField = isAssigned(heading)
        ? undefined
        : candidates.find((targetField) => !isFilled(targetField) && matches(heading, targetField))
      if (targetField) assignments.push(toAssignment(heading, targetField))
    }
  }
  // Questions need an exact match: a similar question asks something else.
  assign((heading, { names }) => names.some((name) => matchesName(name, heading)), questionFields)
  assign((heading, { names }) =>
    names.some((name) => normaliseHeading(name) === normaliseHeading(heading)),
  )
  for (const heading of headings.toSorted((a, b) => headingRank(a) - headingRank(b))) {
    for (const { path, by } of knownTargets[collection]?.[canonicalName(heading) ?? ''] ?? []) {
      const targetField = targetFields.find((candidate) => candidate.path === path)
      const otherAssignments = assignments.filter(
        (assignment) => assignment.targetField === targetField,
      )
      const isRepeated = otherAssignments.some((assignment) => assignment.heading === heading)
      const isPart =
        otherAssignments.length > 0 &&
        otherAssignments.every((assignment) => areParts(assignment.heading, heading))
      if (!targetField || isRepeated || (otherAssignments.length > 0 && !isPart)) continue
      assignments.push({ ...toAssignment(heading, targetField), ...(by && { by }) })
    }
  }
  assign((heading, targetField) => {
    const canonical = canonicalName(heading)
    return canonical !== undefined && isNamed(targetField, canonical)
  })
  assign((heading, targetField) => {
    const substitute = substitutes[canonicalName(heading) ?? '']
    return substitute !== undefined && isNamed(targetField, substitute)
  })
  assign((heading, { names }) => names.some((name) => areSimilar(name, heading)))
  const fullName = targetFields.find((targetField) => isNamed(targetField, 'Full Name'))
  return [...assignments, ...assignFullName(headings, fullName, assignments)]
}

/** Headings to try when no column has the usual one. */
const substitutes: Readonly<Record<string, string>> = { Mobile: 'Phone', Phone: 'Mobile' }

const toAssignment = (heading: string, targetField: TargetField): Assignment => ({
  heading,
  targetField,
  as: targetField.as,
  ...(targetField.as === 'link' && { by: 'id' }),
})

/** Whether a target field has a canonical name. */
export const isNamed = ({ names }: TargetField, canonical: string) =>
  names.some((name) => canonicalName(name) === canonical)

/** Whether two columns are the parts of one value: of a name, or of a date and time. */
function areParts(left: string, right: string): boolean {
  const pair = [canonicalName(left), canonicalName(right)]
  return partPairs.some((parts) => parts.every((part) => pair.includes(part)))
}

const partPairs: readonly (readonly [string, string])[] = [
  ['First Name', 'Surname'],
  ['Event Start', 'Event Start Time'],
  ['Event End', 'Event End Time'],
]

/** Ranks headings: the completion time comes first and second parts come last, in any order of columns. */
const headingRank = (heading: string) => {
  const canonical = canonicalName(heading)
  if (canonical === 'Completed') return -1
  return partPairs.some(([, second]) => second === canonical) ? 1 : 0
}

/** Assigns first name and surname, in this order, to a full name field that no column fills. */
function assignFullName(
  headings: readonly string[],
  targetField: TargetField | undefined,
  assignments: readonly Assignment[],
): Assignment[] {
  if (!targetField || assignments.some((assignment) => assignment.targetField === targetField))
    return []
  return ['First Name', 'Surname'].flatMap((part) => {
    const heading = headings.find((heading) => canonicalName(heading) === part)
    return heading === undefined ? [] : [toAssignment(heading, targetField)]
  })
}

/** Assigns the email or name column that identifies respondents. Throws UnreadableFileError if the column is missing. */
export function assignRespondents(
  { form, targetFields }: { form?: SurveyForm | undefined; targetFields: readonly TargetField[] },
  headings: readonly string[],
  tableFacts: TableFacts,
  match: readonly string[] = [],
): Assignment[] {
  const targetField = form && targetFields.find(({ path }) => path === respondentField(form))
  if (!targetField || match.length === 0) return []
  const [by, ...others] = match
  if ((by !== 'email' && by !== 'name') || others.length > 0) {
    throw new UnreadableFileError(0, 'holds answers: choose email or name to match the people.')
  }
  const canonical = by === 'email' ? 'Email' : 'Full Name'
  const heading = headings.find((heading) => {
    const { filled = 0, emails = 0 } = tableFacts.columns.get(heading) ?? {}
    return canonicalName(heading) === canonical && filled > 0 && (by === 'name' || emails > 0)
  })
  if (heading !== undefined) return [{ heading, targetField, as: 'link', by }]
  throw new UnreadableFileError(
    0,
    `has no column of ${by === 'email' ? 'e-mail addresses' : 'names'} to find people by.`,
  )
}
