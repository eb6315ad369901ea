// Marks and walk-ins are sent one after another. Until the server has one, it stays here with its idempotency
// key, so that a lost connection loses nothing and a mark that arrives twice counts once.
const register = document.querySelector('[data-register]')
const queueStatus = document.querySelector('[data-queue]')
const storageKey = `register ${location.pathname}`
const retryMs = 5000
// A reload keeps the marks, which hold ids but no names. Walk-ins stay in memory.
const queue = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
const find = document.querySelector('[data-find]')
const tabs = [...register.querySelectorAll('[data-tabs] a')]
let isSending = false
let retry
// The reason why marks wait. It stays on the page until they are sent.
let problem

document.querySelector('[data-tools]').hidden = false

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (!form.matches('[data-mark-form], [data-walk-in]')) return
  event.preventDefault()
  const data = new FormData(form, submitter)
  const [booking, came] = [data.get('booking'), data.get('came')]
  data.set(booking ? 'key' : '$key', crypto.randomUUID())
  if (booking) showMark(findRow(booking), came)
  else form.reset()
  queue.push({ action: form.action, booking, came, fields: [...data] })
  send()
})

document.addEventListener('marked', ({ detail: { booking, row } }) => showAnswer(booking, { row }))
addEventListener('online', send)
addEventListener('beforeunload', (event) => queue.length > 0 && event.preventDefault())

async function send() {
  showQueue()
  if (isSending) return
  isSending = true
  clearTimeout(retry)
  try {
    while (queue.length > 0) {
      const [{ action, booking, fields }] = queue
      const response = await fetch(action, {
        method: 'POST',
        headers: { Accept: 'application/json' },
        body: new URLSearchParams(fields),
      })
      if (response.redirected) {
        problem = 'You are signed out: sign in again in another tab.'
        break
      }
      if (response.status >= 500 || response.status === 429) throw new Error('unavailable')
      if (!response.headers.get('Content-Type')?.startsWith('application/json')) {
        problem = 'The change was refused: reload the page.'
        break
      }
      const answer = await response.json()
      queue.shift()
      if (booking) showAnswer(booking, answer)
      else showWalkIn(fields, answer)
    }
    if (queue.length === 0) problem = undefined
  } catch {
    problem = 'No connection.'
  }
  isSending = false
  showQueue()
  if (queue.length > 0) retry = setTimeout(send, retryMs)
}

function findRow(booking) {
  return [...register.querySelectorAll('[data-booking]')].find(
    (row) => row.dataset.booking === booking,
  )
}

/** Shows a mark before the server has it. */
function showMark(row, came) {
  if (!row) return
  const marks = { true: 'attended', false: 'absent' }
  row.dataset.mark = marks[came] ?? ''
  for (const button of row.querySelectorAll('[aria-pressed]')) {
    const value = button.matches(':first-child') ? 'true' : 'false'
    button.setAttribute('aria-pressed', String(value === came))
    button.value = value === came ? 'null' : value
  }
  updateCounts()
}

/** Shows the row from the server, unless a later mark of the same booking waits. */
function showAnswer(booking, { row: html, message }) {
  const row = findRow(booking)
  if (!row || queue.some((later) => later.booking === booking)) return
  if (message) {
    showMessage(row, message)
    return
  }
  const focused = [...row.querySelectorAll('button')].indexOf(document.activeElement)
  const next = parseRow(html)
  if (row.querySelector('.who[open]')) next.querySelector('details.who')?.setAttribute('open', '')
  row.replaceWith(next)
  if (focused >= 0) next.querySelectorAll('button')[focused]?.focus()
  filterRows()
  updateCounts()
}

function parseRow(html) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return document.adoptNode(body.querySelector('li'))
}

/** Adds the row of a walk-in, or shows the form again with the errors. */
function showWalkIn(fields, { row, errors = {}, message }) {
  const form = document.querySelector('[data-walk-in]')
  const alert = document.querySelector('[data-walk-in-error]')
  alert.hidden = !message
  if (row) {
    register.querySelector('.register').append(parseRow(row))
    updateCounts()
    return
  }
  const labels = Object.keys(errors).map(
    (name) => form.querySelector(`[for="${CSS.escape(`field-${name}`)}"]`)?.textContent ?? name,
  )
  alert.textContent = `Nobody was added. ${labels.map((label) => `${label}: `).join('')}${message}`
  for (const [name, value] of fields) {
    const [field] = form.querySelectorAll(`[name="${CSS.escape(name)}"]`)
    if (field && field.type !== 'checkbox') field.value = value
  }
  alert.scrollIntoView({ block: 'nearest' })
}

/** Takes back the shown mark, and shows the reason. */
function showMessage(row, message) {
  showMark(row, 'null')
  const error = document.createElement('p')
  error.className = 'error'
  error.setAttribute('role', 'alert')
  error.textContent = `${message} Reload the page.`
  row.querySelector('.error')?.remove()
  row.append(error)
}

function showQueue() {
  sessionStorage.setItem(storageKey, JSON.stringify(queue.filter(({ booking }) => booking)))
  const waiting = new Set(queue.map(({ booking }) => booking))
  for (const row of register.querySelectorAll('[data-booking]'))
    row.querySelector('[data-pending]').hidden = !problem || !waiting.has(row.dataset.booking)
  queueStatus.hidden = !problem || queue.length === 0
  const count = queue.length === 1 ? '1 change is' : `${queue.length} changes are`
  queueStatus.textContent = problem ? `${problem} ${count} waiting to send.` : ''
}

function updateCounts() {
  const [booked] = register.querySelectorAll('.register')
  const count = (mark) =>
    [...booked.children].filter(({ dataset }) => (dataset.mark ?? '') === mark).length
  for (const element of document.querySelectorAll('[data-count]'))
    element.textContent = count(element.dataset.count)
  const [, toMark] = tabs
  toMark.querySelector('span').textContent = count('')
  let x = 0
  for (const bar of document.querySelectorAll('[data-share]')) {
    const width = (100 * count(bar.dataset.share)) / Math.max(1, booked.children.length)
    bar.setAttribute('x', `${x}%`)
    bar.setAttribute('width', `${width}%`)
    x += width
  }
}

document.querySelector('[data-mark-all]').addEventListener('click', () => {
  const [booked] = register.querySelectorAll('.register')
  const rows = [...booked.children].filter((row) => !row.dataset.mark && !row.hidden)
  if (rows.length === 0 || !confirm(`Mark ${rows.length} as came?`)) return
  for (const { booking } of rows.map(({ dataset }) => dataset))
    findRow(booking)?.querySelector('[data-mark-form] button')?.click()
})
find.addEventListener('input', filterRows)
for (const tab of tabs)
  tab.addEventListener('click', (event) => {
    event.preventDefault()
    history.replaceState(null, '', tab.href)
    showTab(tab)
  })

/** Shows the rows of a tab without a request, also while there is no connection. */
function showTab(tab) {
  for (const other of tabs) other.removeAttribute('aria-current')
  tab.setAttribute('aria-current', 'page')
  const [, toMark, waiting] = tabs
  // A row that is marked later stays in sight, for a mistake to be corrected.
  for (const row of register.querySelectorAll('[data-booking]'))
    row.toggleAttribute('data-done', tab === toMark && !!row.dataset.mark)
  for (const panel of register.querySelectorAll('[data-panel]'))
    panel.hidden = (panel.dataset.panel === 'waiting') !== (tab === waiting)
  for (const cancelled of register.querySelectorAll('[data-given-up]'))
    cancelled.hidden = tab === toMark
  filterRows()
}

function filterRows() {
  const plain = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const text = plain(find.value.trim())
  for (const row of register.querySelectorAll('[data-panel="booked"] [data-booking]'))
    row.hidden = !plain(row.firstElementChild.textContent).includes(text) || 'done' in row.dataset
}

showTab(tabs.find((tab) => tab.hasAttribute('aria-current')))
for (const { booking, came } of queue) showMark(findRow(booking), came)
send()
