import { SaveButtons } from '../ui/button.tsx'
import { Field } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { type FormContext, formPagePath } from './form-record.ts'

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
      {error !== undefined && <p role="alert">{error}</p>}
      <form class="form" method="post" action={`${path}/section`}>
        <input type="hidden" name="$etag" value={etag} />
        {index !== undefined && <input type="hidden" name="$index" value={index} />}
        <Field label="Heading" name="title" help="Each section is a page of the form.">
          {(attributes) => (
            <input {...attributes} value={title} required maxlength={255} autocomplete="off" />
          )}
        </Field>
        <Field label="Text below the heading (optional)" name="description">
          {(attributes) => <textarea {...attributes}>{description}</textarea>}
        </Field>
        <SaveButtons cancelPath={path} />
      </form>
    </Page>
  )
}
