import { Fields, type FormField } from './fields.tsx'
import { Form } from './form.tsx'
import type { FieldValues } from './form-values.ts'

type FilterFormProps = { fields: readonly FormField[]; values: FieldValues; label: string }

/** Renders fields in a row that choose what the page shows. */
export const FilterForm = ({ fields, values, label }: FilterFormProps) => (
  <Form method="get" class="create">
    <Fields fields={fields} values={values} errors={{}} />
    <button type="submit" class="button">
      {label}
    </button>
  </Form>
)
