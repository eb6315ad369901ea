import { numberText } from '../../../model/value-types.ts'
import { type FormField, FormFieldControl } from '../../ui/fields.tsx'
import { textOf } from '../../ui/form-values.ts'
import { readProperty, toChanges } from './choice-question.tsx'
import type { QuestionControlProps, RecordQuestion } from './question.ts'

const kind = '$price'
const amount = 'bookingDetails.price'

/** The question for an event's price. */
export const priceQuestion: RecordQuestion = {
  label: 'Price',
  names: [kind, amount],
  properties: ['bookingDetails.free', 'bookingDetails.price'],
  read(values) {
    const isFree = readProperty(values, 'bookingDetails.free') === true
    const price = readProperty(values, amount)
    return {
      [kind]: isFree ? 'free' : 'fixed',
      [amount]: typeof price === 'number' ? formatPrice(price) : '',
    }
  },
  parse({ submitted }) {
    if (textOf(submitted, kind) === 'free')
      return { changes: toChanges({ 'bookingDetails.free': true, 'bookingDetails.price': null }) }
    const price = numberText.parse(textOf(submitted, amount).replace(/^\s*£/, ''))
    if ('error' in price || price.value === null || Number(price.value) < 0)
      return { errors: { [amount]: 'Enter the price as an amount in pounds, such as 2.50' } }
    return { changes: toChanges({ 'bookingDetails.free': false, [amount]: price.value }) }
  },
  Control: PriceFields,
}

const formatPrice = (price: number) => (Number.isInteger(price) ? String(price) : price.toFixed(2))

const amountField: FormField = {
  name: amount,
  label: 'Price per person',
  isMoney: true,
  attributes: { inputmode: 'decimal' },
}

function PriceFields({ values, errors }: QuestionControlProps) {
  const selected = textOf(values, kind)
  return (
    <fieldset class="field">
      <legend class="visually-hidden">Price</legend>
      {[
        { value: 'free', label: 'Free' },
        { value: 'fixed', label: 'Fixed price' },
      ].map(({ value, label }) => (
        <label class="choice">
          <input type="radio" name={kind} value={value} checked={value === selected} />
          <span>{label}</span>
        </label>
      ))}
      <div class="under">
        <FormFieldControl field={amountField} values={values} errors={errors} />
      </div>
    </fieldset>
  )
}
