import type { Context } from 'hono'
import { audiences } from '../../model/forms/survey-form.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { SaveButtons } from '../ui/button.tsx'
import { Checkbox, Field, noOption, SelectField } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { formTypes, type SettingsDraft, switchGroups } from './settings-draft.ts'

type Props = {
  c: Context<DashboardEnv>
  title: string
  action: string
  cancelPath: string
  etag?: string
  draft: SettingsDraft
  errors?: Readonly<Record<string, string>>
  error?: string | undefined
}

/** Renders the form for a form's settings, with the submitted values and their errors. */
export function SettingsPage(props: Props) {
  const { c, title, action, cancelPath, etag, draft, errors = {}, error } = props
  const hasErrors = error !== undefined || Object.keys(errors).length > 0
  const field = (name: string) => ({ name, error: errors[name] })
  return (
    <Page c={c} title={title} tabs={[]}>
      {hasErrors && <p role="alert">{error ?? 'Nothing was saved. Correct the errors below.'}</p>}
      <form method="post" action={action} class="form">
        <input type="hidden" name="$etag" value={etag} />
        <Field label="Name" {...field('name')}>
          {(attributes) => (
            <input {...attributes} value={draft.name} required maxlength={255} autocomplete="off" />
          )}
        </Field>
        <SelectField
          label="Type"
          {...field('type')}
          options={Object.entries(formTypes).map(([value, label]) => ({ value, label }))}
          selected={draft.type ?? ''}
        />
        <Field label="Introduction (optional)" {...field('description')}>
          {(attributes) => <textarea {...attributes}>{draft.description}</textarea>}
        </Field>
        {switchGroups.map(({ title, switches }) => (
          <fieldset class="field">
            <legend>{title}</legend>
            {Object.entries(switches).map(([name, label]) => (
              <Checkbox name={name} value="true" checkedValues={[draft[name]]} label={label} />
            ))}
          </fieldset>
        ))}
        <SelectField
          label="Answers fill the fields of"
          {...field('formFor')}
          options={[
            noOption,
            ...Object.values(audiences).map(({ formFor }) => ({
              value: formFor,
              label: formFor,
            })),
          ]}
          selected={draft.formFor ?? ''}
        />
        <SelectField
          label="Score"
          {...field('settings.scoreDirection')}
          options={[
            noOption,
            { value: 'ascending', label: 'A higher score is better' },
            { value: 'descending', label: 'A lower score is better' },
          ]}
          selected={draft['settings.scoreDirection'] ?? ''}
        />
        <Field label="Deadline (optional)" {...field('deadline')} help="UK time.">
          {(attributes) => <input {...attributes} type="datetime-local" value={draft.deadline} />}
        </Field>
        <Field label="Message after sending (optional)" {...field('settings.afterSubmitMessage')}>
          {(attributes) => (
            <textarea {...attributes}>{draft['settings.afterSubmitMessage']}</textarea>
          )}
        </Field>
        <SaveButtons cancelPath={cancelPath} />
      </form>
    </Page>
  )
}
