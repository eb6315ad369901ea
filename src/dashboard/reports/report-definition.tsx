import { formatFilters } from '../filters/filters.ts'
import type { Sentence } from './definition.ts'

type DefinitionProps = { sentences: readonly Sentence[]; listPath: string }

/** Renders sentences, each with a link to the records that it is about. */
export const Definition = ({ sentences, listPath }: DefinitionProps) => (
  <p class="definition">
    {sentences.map(({ text, filters }) => (
      <>
        {text} {filters && <a href={`${listPath}?${formatFilters(filters)}`}>Show them</a>}{' '}
      </>
    ))}
  </p>
)
