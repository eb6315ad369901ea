import { texts } from '../../texts/texts.ts'
import { type FormErrors, TextInput } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { type AttendeeForm, fieldControlName, questionControlName } from './answers.ts'
import { FieldControl } from './field-control.tsx'

type PersonProps = { form: AttendeeForm; person: number; values: FormValues; errors: FormErrors }

/** Renders the controls for one person who comes: the fields, then the questions of the event. */
export function PersonControls({ form, person, values, errors }: PersonProps) {
  return (
    <>
      {form.fields.map((field) => (
        <FieldControl
          field={field}
          name={fieldControlName(person, field.id)}
          values={values}
          errors={errors}
        />
      ))}
      {form.questions.map(({ id, label, hint, purpose, required, deleteAfter }) => (
        <TextInput
          name={questionControlName(person, id)}
          label={label}
          hint={[hint, purpose, texts.signUp.deletedAfter(deleteAfter)].filter(Boolean).join(' ')}
          isRequired={required}
          values={values}
          errors={errors}
        />
      ))}
    </>
  )
}
