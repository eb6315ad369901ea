import type { JSX } from 'hono/jsx'

type PairProps = {
  labels: readonly [string, string]
  /** The words before the labels that screen readers hear. */
  description?: string
  names: readonly [string, string]
  values: readonly [string | undefined, string | undefined]
  attributes: JSX.IntrinsicElements['input']
}

/** Renders the inputs of the two ends of a range. */
export const Pair = ({ labels, description, names, values, attributes }: PairProps) => (
  <div class="pair">
    {labels.map((label, index) => (
      <label>
        {label}
        <input
          {...attributes}
          name={names[index]}
          value={values[index]}
          aria-label={description && `${description} ${label.toLowerCase()}`}
        />
      </label>
    ))}
  </div>
)
