// The file stays in this page and is sent with each step; the service does not store it. Each step replaces
// the previous one, which the browser's history can restore unchanged.
const steps = new Map()
let at = history.state?.step ?? 0
let file
let pickers = 0
enhance()

// Ignores text that is dragged into a field.
const hasFiles = ({ dataTransfer }) => dataTransfer.types.includes('Files')

document.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault())
document.addEventListener('drop', (event) => {
  if (!hasFiles(event)) return
  event.preventDefault()
  const input = document.querySelector('[data-drop] [type="file"]')
  if (!input || event.dataTransfer.files.length === 0) return
  input.files = event.dataTransfer.files
})

document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event
  if (!form.matches('[data-import]')) return
  event.preventDefault()
  const data = new FormData(form, submitter)
  const wait = showProgress(form)
  try {
    const [chosen] = form.elements.file?.files ?? []
    // A copy: the file on disk may change between steps.
    if (chosen) file = new File([await chosen.arrayBuffer()], chosen.name)
    else if (form.dataset.import === 'file') file = undefined
    data.delete('file')
    if (file) data.append('file', file)
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/x-ndjson' },
      body: data,
    })
    if (answer.redirected) throw new Error('signed out')
    const isNdjson = answer.headers.get('Content-Type')?.startsWith('application/x-ndjson')
    const page = isNdjson ? await readPage(answer.body, wait.report) : await answer.text()
    if (page === undefined) throw new Error('incomplete response')
    wait.end()
    showResponse(new DOMParser().parseFromString(page, 'text/html'))
  } catch {
    wait.end(
      'The request failed: you may be signed out or offline. Nothing on this page is lost. Sign in in another tab, then press the button again.',
    )
  }
})

addEventListener('popstate', ({ state }) => {
  const step = steps.get(state?.step ?? 0)
  if (!step) return location.reload()
  showStep(step.main, step.title, state?.step ?? 0)
})

/** Shows the response: the next step, or the same step with errors. */
function showResponse(next) {
  const main = document.querySelector('main')
  const stepOf = (page) => page.querySelector('[data-import]')?.dataset.import
  const isSame = stepOf(main) === stepOf(next)
  if (!isSame) history.pushState({ step: at + 1 }, '')
  showStep(document.adoptNode(next.querySelector('main')), next.title, isSame ? at : at + 1)
  enhance()
}

function showStep(main, title, step) {
  const previous = document.querySelector('main')
  steps.set(at, { main: previous, title: document.title })
  at = step
  previous.replaceWith(main)
  document.title = title
  scrollTo(0, 0)
  const heading = main.querySelector('[role="alert"]:not([hidden]), h1')
  heading.tabIndex = -1
  heading.focus()
}

/** Replaces the parts of a step that only serve browsers without scripts. */
function enhance() {
  for (const field of document.querySelectorAll('[data-file-again]'))
    field.hidden = file !== undefined
  // A script within a page that replaces another does not run.
  if (at > 0 && document.querySelector('[data-picker]'))
    import(`/assets/picker.js?step=${++pickers}`)
  const rejectedRows = document.querySelector('[data-rejected-rows]')
  if (!rejectedRows) return
  const link = document.createElement('a')
  link.className = 'button'
  link.textContent = 'Download as CSV'
  link.download = rejectedRows.dataset.rejectedRows
  const csv = rejectedRows.value.replaceAll('\n', '\r\n')
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  document.querySelector('[data-download]').replaceChildren(link)
}

/** Shows progress while a form is being processed. */
function showProgress(form) {
  document.querySelector('main > [role="alert"]:not([data-ending-session])')?.remove()
  const status = document.createElement('div')
  status.className = 'progress'
  status.setAttribute('role', 'status')
  const message = document.createElement('span')
  const bar = document.createElement('progress')
  bar.setAttribute('aria-label', 'Progress')
  message.textContent =
    form.dataset.import === 'undo' ? 'Undoing the import…' : 'Sending and reading the file…'
  status.append(message, bar)
  form.after(status)
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  const confirmLeaving = (event) => event.preventDefault()
  addEventListener('beforeunload', confirmLeaving)
  return {
    report({ rows, total }) {
      const count = rows.toLocaleString('en-GB')
      message.textContent = total
        ? `${count} of ${total.toLocaleString('en-GB')} rows`
        : `${count} rows read`
      if (total) Object.assign(bar, { max: total, value: Math.min(rows, total) })
    },
    end(error) {
      removeEventListener('beforeunload', confirmLeaving)
      for (const button of buttons) button.disabled = false
      status.remove()
      if (!error) return
      const alert = document.createElement('p')
      alert.setAttribute('role', 'alert')
      alert.textContent = error
      form.before(alert)
    },
  }
}

/** Reads a stream of lines: reports progress and returns the page in the last line. */
async function readPage(body, report) {
  let text = ''
  let page
  const handleLine = (line) => {
    if (line === '') return
    const progress = JSON.parse(line)
    if (progress.page === undefined) report(progress)
    else page = progress.page
  }
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value = '' } = await reader.read()
    const lines = (text + value).split('\n')
    text = lines.pop()
    for (const line of lines) handleLine(line)
    if (done) break
  }
  handleLine(text)
  return page
}
