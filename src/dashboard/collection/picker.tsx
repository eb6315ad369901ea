import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FieldError } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { recordsPath } from '../ui/paths.ts'
import { type Choice, findChoices } from './choices.ts'

type PickerProps = {
  c: Context<DashboardEnv>
  /** The name of the form field that holds the id, or several ids. */
  name: string
  label: string
  /** The collection to search. */
  collection: string
  hasSeveral?: boolean
  chosen: readonly Choice[]
  /** The label for no record; absent if a record is required. */
  noneLabel?: string | undefined
  /** The search without a script, and its result. */
  search?: PickerSearch | undefined
  hint?: string | undefined
  error?: string | undefined
}

/** A text that somebody searched for in a picker, and the records found. */
export type PickerSearch = { text: string; choices: readonly Choice[] }

/** The name of the form field with the text to search for. */
export const searchName = (name: string) => `$search.${name}`

/** The name of the button that searches. Its value is the name of the picker. */
export const findName = '$find'

/** Renders a search for a record. Without a script, *Find* sends the form, and the results are radio buttons or checkboxes. */
export function Picker(props: PickerProps) {
  const { c, name, label, collection, hasSeveral = false, chosen, noneLabel, search } = props
  const { hint, error } = props
  const id = `field-${name}`
  const type = hasSeveral ? 'checkbox' : 'radio'
  const others =
    search?.choices.filter(({ id }) => !chosen.some((choice) => choice.id === id)) ?? []
  const hasNone = noneLabel !== undefined && !hasSeveral && chosen.length + others.length > 0
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset
      class="field picker"
      data-picker={`${recordsPath(c)}/pick/${collection}`}
      data-name={name}
      data-type={type}
    >
      <legend>{label}</legend>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <FieldError id={id} message={error} />
      <div data-chosen>
        {[...chosen, ...others].map((choice) => (
          <label class="choice">
            <input type={type} name={name} value={choice.id} checked={chosen.includes(choice)} />
            <ChoiceText choice={choice} />
          </label>
        ))}
        {hasNone && (
          <label class="choice" data-none>
            <input type="radio" name={name} value="" checked={chosen.length === 0} />
            <span>{noneLabel}</span>
          </label>
        )}
      </div>
      {search && others.length === 0 && <p role="status">Nothing matches “{search.text}”.</p>}
      <div class="row">
        <div class="search">
          <Icon name="search" />
          <input
            id={id}
            name={searchName(name)}
            type="search"
            placeholder="Search by name"
            maxlength={100}
            autocomplete="off"
            aria-label={`Search for ${label.toLowerCase()}`}
            aria-describedby={describedBy || undefined}
            aria-invalid={error && 'true'}
          />
        </div>
        <button type="submit" class="button" name={findName} value={name} formnovalidate>
          Find
        </button>
      </div>
      <script type="module" src="/assets/picker.js" />
    </fieldset>
  )
}

function ChoiceText({ choice: { title, detail } }: { choice: Choice }) {
  return (
    <span>
      {title}
      {detail && <small>{detail}</small>}
    </span>
  )
}

/** Responds with the options for a text, for the script of the picker. */
export async function renderChoices(c: Context<DashboardEnv>, collection: string) {
  const choices = await findChoices(c, collection, c.req.query('q') ?? '')
  return c.html(
    <>
      {choices.map((choice) => (
        <div data-id={choice.id}>
          <ChoiceText choice={choice} />
        </div>
      ))}
      {choices.length === 0 && <div>Nothing matches.</div>}
    </>,
  )
}
