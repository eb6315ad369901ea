import type { FormField } from '../ui/fields.tsx'
import { FieldsForm } from '../ui/fields-form.tsx'
import { Page } from '../ui/page.tsx'
import { formPagePath } from '../ui/paths.ts'
import type { FormContext } from './form-record.ts'

type Props = {
  c: FormContext
  formId: string
  etag: string
  /** The index of an existing section. */
  index?: number | undefined
  title: string
  description: string
  error?: string | undefined
}

const sectionFields: readonly FormField[] = [
  {
    name: 'title',
    label: 'Heading',
    help: 'Each section is a page of the form.',
    attributes: { required: true, maxlength: 255, autocomplete: 'off' },
  },
  { name: 'description', label: 'Text below the heading (optional)', isLong: true },
]

/** Renders the form for a section's texts. */
export function SectionPage({ c, formId, etag, index, title, description, error }: Props) {
  const path = formPagePath(c, formId)
  return (
    <Page
      c={c}
      title={index === undefined ? 'Add a section' : 'Change a section'}
      crumbs={[{ name: 'Form', href: path }]}
      tabs={[]}
    >
      <FieldsForm
        action={`${path}/section`}
        hidden={{ $etag: etag, $index: index }}
        fields={sectionFields}
        values={{ title, description }}
        error={error}
        cancelPath={path}
      />
    </Page>
  )
}
