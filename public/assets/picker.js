// Searches while somebody types, as a combobox (WAI-ARIA). Without this script, a button searches.
const pauseMs = 200
const minCharacters = 2

for (const picker of document.querySelectorAll('[data-picker]')) {
  const input = picker.querySelector('[type=search]')
  const list = document.createElement('div')
  list.id = `${input.id}-list`
  list.className = 'panel'
  list.role = 'listbox'
  list.ariaLabel = input.ariaLabel
  list.hidden = true
  input.after(list)
  input.role = 'combobox'
  input.ariaExpanded = 'false'
  input.ariaAutoComplete = 'list'
  input.setAttribute('aria-controls', list.id)
  picker.querySelector('[value][name="$find"]').hidden = true

  let timer
  let active
  let lastText = ''
  const options = () => [...list.querySelectorAll('[data-id]')]

  const activate = (option) => {
    if (active) active.ariaSelected = 'false'
    active = option
    if (option) option.ariaSelected = 'true'
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }

  const show = (isShown) => {
    list.hidden = !isShown
    input.ariaExpanded = String(isShown)
    if (!isShown) activate()
  }

  const search = async () => {
    const text = input.value.trim()
    lastText = text
    if (text.length < minCharacters) return show(false)
    const answer = await fetch(`${picker.dataset.picker}?q=${encodeURIComponent(text)}`)
    if (text !== lastText) return
    // After a lost session the answer is a page, which is no list of options.
    if (!answer.ok || answer.redirected) return show(false)
    list.innerHTML = await answer.text()
    for (const [index, option] of [...list.children].entries())
      Object.assign(option, { id: `${list.id}-${index}`, role: 'option', ariaSelected: 'false' })
    active = undefined
    show(true)
  }

  const choose = ({ dataset, innerHTML }) => {
    const chosen = picker.querySelector('[data-chosen]')
    const { name, type } = picker.dataset
    const box = document.createElement('input')
    Object.assign(box, { type, name, value: dataset.id, checked: true })
    if (type === 'radio')
      for (const choice of chosen.querySelectorAll('.choice:not([data-none])')) choice.remove()
    else
      for (const { value, parentNode } of chosen.querySelectorAll('input'))
        if (value === dataset.id) parentNode.remove()
    const label = document.createElement('label')
    label.className = 'choice'
    label.innerHTML = innerHTML
    label.prepend(box)
    chosen.prepend(label)
    input.value = ''
    lastText = ''
    show(false)
    box.dispatchEvent(new Event('change', { bubbles: true }))
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, pauseMs)
  })
  input.addEventListener('keydown', (event) => {
    const all = options()
    const index = all.indexOf(active)
    if (event.key === 'ArrowDown' && all.length > 0) {
      show(true)
      activate(all[(index + 1) % all.length])
    } else if (event.key === 'ArrowUp' && all.length > 0) {
      show(true)
      activate(all.at(index < 0 ? -1 : index - 1))
    } else if (event.key === 'Enter' && input.value !== '') {
      if (active) choose(active)
      else search()
    } else if (event.key === 'Escape' && !list.hidden) show(false)
    else return
    event.preventDefault()
  })
  // Before the click, so that the search field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[data-id]')
    if (option) choose(option)
  })
  input.addEventListener('blur', () => show(false))
}
