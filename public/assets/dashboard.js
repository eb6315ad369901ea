// Every page works without this script. It reveals the buttons that need it.
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const { textContent } = document.getElementById(button.dataset.copy)
    await navigator.clipboard.writeText(textContent)
    button.textContent = 'Copied'
  })
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

// On a phone, the current tab may be out of sight. Not `scrollIntoView`, which would also make the
// first Tab key start there instead of at the skip link.
for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
  const tabs = tab.closest('.tabs')
  const offset = tab.getBoundingClientRect().left - tabs.getBoundingClientRect().left
  tabs.scrollLeft += offset - (tabs.clientWidth - tab.offsetWidth) / 2
}

// A period and typed dates replace each other.
for (const presets of document.querySelectorAll('.presets:has(+ .pair)')) {
  const dates = presets.nextElementSibling
  presets.addEventListener('change', () => {
    for (const input of dates.querySelectorAll('input')) input.value = ''
  })
  dates.addEventListener('input', () => {
    const own = presets.querySelector('[value="from-to"]') ?? presets.querySelector('input')
    own.checked = true
  })
}

// Finds a field among the choices of a report.
for (const search of document.querySelectorAll('[data-find-options]')) {
  const options = search.nextElementSibling
  search.hidden = false
  search.addEventListener('input', ({ target }) => {
    const words = target.value.trim().toLowerCase()
    for (const choice of options.querySelectorAll('.choice'))
      choice.hidden = !choice.textContent.toLowerCase().includes(words)
    for (const section of options.querySelectorAll('section'))
      section.hidden = !section.querySelector('.choice:not([hidden])')
  })
  // Enter would ask the question with the choices made so far.
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault()
  })
}

// Closes an open menu on a click elsewhere or Escape.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]'))
    if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape')
    for (const menu of document.querySelectorAll('.menu[open]')) menu.open = false
})

for (const box of document.querySelectorAll('[data-select-rows]')) {
  const rows = box.closest('table').querySelectorAll('tbody [type="checkbox"]')
  box.closest('label').hidden = false
  box.addEventListener('change', () => {
    for (const row of rows) row.checked = box.checked
  })
}

// Warns before a session without use ends, so that nobody loses what they have typed. The notice says after
// how many milliseconds. The import replaces the page's content.
const findEndingSession = () => document.querySelector('[data-ending-session]')

function awaitEnd() {
  findEndingSession().hidden = true
  setTimeout(() => {
    findEndingSession().hidden = false
  }, Number(findEndingSession().dataset.endingSession))
}

if (findEndingSession()) {
  awaitEnd()
  document.addEventListener('click', async ({ target }) => {
    if (!target.closest('[data-ending-session] button')) return
    const { ok, redirected } = await fetch('/dashboard/sign-in/sessions', { method: 'HEAD' })
    if (ok && !redirected) awaitEnd()
    else
      findEndingSession().textContent =
        'You are signed out. Copy what you have typed before you go on.'
  })
}
