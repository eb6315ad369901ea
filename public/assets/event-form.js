// Names the weekday of the chosen date beside each frequency. Without this script, the form does so
// when it is sent.
const day = document.getElementById('field-$day')
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
const ordinals = ['first', 'second', 'third', 'fourth', 'last']

function nameWeekdays() {
  const time = Date.parse(day.value)
  if (Number.isNaN(time)) return
  const weekday = weekdays.format(time)
  const ordinal = ordinals[Math.ceil(new Date(time).getUTCDate() / 7) - 1]
  const texts = {
    week: `on ${weekday}`,
    fortnight: `on ${weekday}`,
    month: `on the ${ordinal} ${weekday}`,
  }
  for (const label of document.querySelectorAll('[data-frequency]'))
    label.textContent = texts[label.dataset.frequency] ?? ''
}

day.addEventListener('change', nameWeekdays)
// The date may have been chosen before the script was loaded.
nameWeekdays()
