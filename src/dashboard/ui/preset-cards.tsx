type PresetCardsProps = {
  presets: readonly { id: string; name: string; summary: string }[]
  legend: string
  /** The name of the field. */
  name?: string
  /** The id of the chosen preset. */
  chosen: string
}

/** Renders choices with an explanation each, such as purposes of keys. */
export const PresetCards = ({
  presets,
  legend,
  name: field = 'preset',
  chosen,
}: PresetCardsProps) => (
  <fieldset class="grid after">
    <legend class="visually-hidden">{legend}</legend>
    {presets.map(({ id, name, summary }) => (
      <label class="preset">
        <input type="radio" name={field} value={id} checked={id === chosen} />
        <span>
          <strong>{name}</strong>
          <small>{summary}</small>
        </span>
      </label>
    ))}
  </fieldset>
)
