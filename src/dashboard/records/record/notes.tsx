import type { Context } from 'hono'
import { formatShortDay } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import type { ReferencingRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Fact } from '../../ui/fact.tsx'
import { formatValue } from '../../ui/format-value.ts'
import { Icon } from '../../ui/icon.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import type { RelatedProps } from './record-layout.ts'

/** Renders the latest notes about a person. */
export function PersonNotes({ c, view, group }: RelatedProps) {
  return (
    <section class="section" id="notes">
      <h2>{group.collection.label}</h2>
      <ul class="stack">
        {group.first.map((note) => (
          <li>
            <p class="text">{String(note.content ?? '')}</p>
            <p class="quiet">
              {note.isPrivate !== false && (
                <>
                  <Icon name="lock" class="icon inline" /> Private ·{' '}
                </>
              )}
              <a class="quiet" href={recordPath(c, 'case-notes', String(note.noteId))}>
                {formatShortDay(String(note.date ?? '')) || 'Open'}
              </a>
              <Tags tags={note.tags} />
            </p>
          </li>
        ))}
      </ul>
      <AllRecords c={c} group={group} personId={view.record.id} name="notes" />
    </section>
  )
}

function Tags({ tags }: { tags: unknown }) {
  if (!Array.isArray(tags) || tags.length === 0) return null
  return (
    <>
      {' · '}
      {tags.map((tag) => (
        <>
          <span class="tag">{String(tag)}</span>{' '}
        </>
      ))}
    </>
  )
}

/** Renders the latest answers of a person to forms: the first form opened. */
export function PersonAnswers({ c, view, group }: RelatedProps) {
  return (
    <section class="section" id="answers">
      <h2>{group.collection.label}</h2>
      <ul class="stack">
        {group.first.map((response, index) => {
          const path = recordPath(c, 'survey-responses', String(response.responseId))
          const form = view.findTitle('forms', String(response.surveyId))?.title ?? 'Form'
          return (
            <li>
              <details class="fold" open={index === 0}>
                <summary>
                  <span>
                    <strong>{form}</strong> <span class="quiet">{summarise(response)}</span>
                  </span>
                </summary>
                <AnswerList response={response} />
                <p class="after">
                  <a href={path}>Open these answers</a>
                </p>
              </details>
            </li>
          )
        })}
      </ul>
      <AllRecords c={c} group={group} personId={view.record.id} name="answers" />
    </section>
  )
}

const summarise = ({ date, surveyScore, responses }: ShownValues): string =>
  [
    formatShortDay(String(date ?? '')),
    typeof surveyScore === 'number'
      ? `Score ${formatNumber(surveyScore)}`
      : `${Array.isArray(responses) ? responses.length : 0} answers`,
  ]
    .filter(Boolean)
    .join(' · ')

/** Renders the questions of a response with the answers. */
export function AnswerList({ response }: { response: ShownValues }) {
  const answers: readonly ShownValues[] = Array.isArray(response.responses)
    ? response.responses
    : []
  return (
    <dl class="facts two">
      {answers.map((answer) => (
        <Fact label={String(answer.question || answer.questionId)}>
          {formatValue(valueAt(answer, ['response']), { type: 'any' }) || '–'}
        </Fact>
      ))}
    </dl>
  )
}

type AllRecordsProps = {
  c: Context<DashboardEnv>
  group: ReferencingRecords
  personId: string
  name: string
}

function AllRecords({ c, group, personId, name }: AllRecordsProps) {
  const { first, total, references, collection } = group
  if (total <= first.length) return null
  const query = new URLSearchParams({ [references[0]?.path ?? '']: personId })
  return (
    <p class="after">
      <a href={`${collectionPath(c, collection.name)}?${query}`}>
        All {formatNumber(total)} {name}
      </a>
    </p>
  )
}
