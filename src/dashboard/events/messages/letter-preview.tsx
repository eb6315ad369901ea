import type { Letter } from '../../../sign-up/message.ts'

type Props = { letter: Letter; organisation: string; to: string }

/** Renders a letter as its recipient gets it. Its links lead nowhere yet. */
export const LetterPreview = ({ letter, organisation, to }: Props) => (
  <aside aria-label="Preview">
    <h2 class="title">What they get</h2>
    <article class="mail" aria-label="Preview of the message">
      <dl>
        <div>
          <dt>From</dt>
          <dd>{organisation}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>{to}</dd>
        </div>
        <div>
          <dt>Subject</dt>
          <dd>{letter.subject}</dd>
        </div>
      </dl>
      <div>
        {letter.parts.map((part) =>
          typeof part === 'string' ? (
            <p class="lines">{part}</p>
          ) : (
            <p>
              <u>{part.label}</u>
            </p>
          ),
        )}
      </div>
    </article>
  </aside>
)
