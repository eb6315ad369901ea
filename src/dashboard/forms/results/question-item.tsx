import { formatNumber } from '../../../platform/format-number.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { figureOf } from '../../../store/summary/measure-groups.ts'
import { type AnswerCount, listChoices } from './choices.ts'
import type { QuestionResult } from './load-results.ts'
import { formatFigure } from './scores.tsx'

type Props = { result: QuestionResult; total: number; responsesPath: string }

/** Renders a question: how many answered, their figures, the answers by value, and quotations. */
export function QuestionItem({ result, total, responsesPath }: Props) {
  const { question, name, figures, asked = total, quotations } = result
  const answered = figureOf(figures.total, `known(${name})`) ?? 0
  const { choices, omitted } = listChoices(result)
  const facts = [
    formatCount(answered, 'answer'),
    result.asked !== undefined && `asked of ${formatNumber(asked)}`,
    answered < asked && `${formatNumber(asked - answered)} did not answer`,
    ...describeFigures(result),
    figures.overlaps && 'more than one possible',
  ]
  return (
    <li>
      <h3>
        {question.title} <span class="quiet">{facts.filter(Boolean).join(', ')}</span>
      </h3>
      {choices.length > 0 && (
        <ol class="bars" aria-label={question.title}>
          {choices.map((choice) => (
            <ChoiceBar choice={choice} answered={answered} />
          ))}
        </ol>
      )}
      {omitted > 0 && (
        <p class="quiet after">And {formatCount(omitted, 'less frequent answer')}.</p>
      )}
      {quotations.length > 0 && (
        <ul class="quotes">
          {quotations.map((quotation) => (
            <li>
              <blockquote>{quotation}</blockquote>
            </li>
          ))}
        </ul>
      )}
      {choices.length === 0 && quotations.length < answered && (
        <p class="after">
          <a href={responsesPath}>
            All answers<span class="visually-hidden"> to {question.title}</span>
          </a>
        </p>
      )}
    </li>
  )
}

/** Renders the number of people who chose an option, and their share of the people who answered. */
function ChoiceBar({ choice, answered }: { choice: AnswerCount; answered: number }) {
  const share = formatShare(choice.count / answered)
  return (
    <li>
      <span>{choice.label}</span>
      <svg aria-hidden="true">
        <rect class="fill" y="5" width={share} height="12" rx="2" />
      </svg>
      <span class="number">
        {formatNumber(choice.count)} <span class="quiet">{share}</span>
      </span>
    </li>
  )
}

/** The figures of a question in words, such as "average 3.4". */
function describeFigures({ name, figures }: QuestionResult): string[] {
  const words = { average: 'average', median: 'median', min: 'lowest', max: 'highest' }
  const share = figureOf(figures.total, `share(${name})`)
  return [
    ...(share === undefined ? [] : [`${formatShare(share)} yes`]),
    ...Object.entries(words).flatMap(([measure, word]) => {
      const figure = figureOf(figures.total, `${measure}(${name})`)
      return figure === undefined ? [] : [`${word} ${formatFigure(figure)}`]
    }),
  ]
}

const formatShare = (share: number) => `${Math.round(100 * share)}%`
