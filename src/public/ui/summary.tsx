import type { Child } from 'hono/jsx'
import { texts } from '../../texts/texts.ts'

/** Renders answers below their questions, for a last look (GOV.UK check your answers). */
export function SummaryList({ answers }: { answers: readonly { label: string; answer: Child }[] }) {
  return (
    <dl class="summary">
      {answers.map(({ label, answer }) => (
        <div>
          <dt>{label}</dt>
          <dd>{answer || <span class="quiet">{texts.controls.notAnswered}</span>}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Renders the heading of a confirmation page (GOV.UK confirmation). */
export function ConfirmationPanel({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="panel">
      <h1>{title}</h1>
      {children}
    </div>
  )
}
