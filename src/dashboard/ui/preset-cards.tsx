import type { KeyPreset } from '../../access/key-presets.ts'

type PresetCardsProps = {
  presets: readonly KeyPreset[]
  legend: string
  /** The id of the chosen preset. */
  chosen: string
}

/** Renders purposes of keys to choose from. */
export const PresetCards = ({ presets, legend, chosen }: PresetCardsProps) => (
  <fieldset class="grid after">
    <legend class="visually-hidden">{legend}</legend>
    {presets.map(({ id, name, summary }) => (
      <label class="preset">
        <input type="radio" name="preset" value={id} checked={id === chosen} />
        <span>
          <strong>{name}</strong>
          <small>{summary}</small>
        </span>
      </label>
    ))}
  </fieldset>
)
