// The file stays in this page, is sent again with each step, and is kept nowhere else. Each step takes the
// place of the one before, which waits in the browser's history as it was left.
const steps = new Map()
let at = history.state?.step ?? 0
let file

ready()

// A text that is dragged into a field is no file.
const isOfFiles = ({ dataTransfer }) => dataTransfer.types.includes('Files')

document.addEventListener('dragover', (event) => isOfFiles(event) && event.preventDefault())
document.addEventListener('drop', (event) => {
  if (!isOfFiles(event)) return
  event.preventDefault()
  const input = document.querySelector('[data-drop] [type="file"]')
  if (!input || event.dataTransfer.files.length === 0) return
  input.files = event.dataTransfer.files
})

document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event
  if (!form.matches('[data-import]')) return
  event.preventDefault()
  if (submitter?.hasAttribute('data-back') && at > 0) return history.back()
  const sent = new FormData(form, submitter)
  const wait = waiting(form)
  try {
    const [chosen] = form.elements.file?.files ?? []
    // As it is now: what is changed in it later is not what was looked at.
    if (chosen) file = new File([await chosen.arrayBuffer()], chosen.name)
    else if (form.dataset.import === 'file') file = undefined
    sent.delete('file')
    if (file) sent.append('file', file)
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/x-ndjson' },
      body: sent,
    })
    if (answer.redirected) throw new Error('signed out')
    const isTold = answer.headers.get('Content-Type')?.startsWith('application/x-ndjson')
    const page = isTold ? await toldBy(answer.body, wait.tell) : await answer.text()
    if (page === undefined) throw new Error('broken off')
    wait.end()
    show(new DOMParser().parseFromString(page, 'text/html'))
  } catch {
    wait.end(
      'That did not work: you may be signed out, or offline. Nothing on this page is lost. Sign in in another tab, and press the button again.',
    )
  }
})

addEventListener('popstate', ({ state }) => {
  const step = steps.get(state?.step ?? 0)
  if (!step) return location.reload()
  put(step.main, step.title, state?.step ?? 0)
})

/** What a step leads to: another in its place, or itself with what is wrong. */
function show(next) {
  const main = document.querySelector('main')
  const stepOf = (of) => of.querySelector('[data-import]')?.dataset.import
  const isSame = stepOf(main) === stepOf(next)
  if (!isSame) history.pushState({ step: at + 1 }, '')
  put(document.adoptNode(next.querySelector('main')), next.title, isSame ? at : at + 1)
  ready()
}

function put(main, title, step) {
  const before = document.querySelector('main')
  steps.set(at, { main: before, title: document.title })
  at = step
  before.replaceWith(main)
  document.title = title
  scrollTo(0, 0)
  const heading = main.querySelector('[role="alert"], h1')
  heading.tabIndex = -1
  heading.focus()
}

/** What the script does in place of what works without it. */
function ready() {
  for (const again of document.querySelectorAll('[data-again]')) again.hidden = file !== undefined
  const rest = document.querySelector('[data-rest]')
  if (!rest) return
  const link = document.createElement('a')
  link.className = 'button main'
  link.textContent = 'Download as CSV'
  link.download = rest.dataset.rest
  const csv = rest.value.replaceAll('\n', '\r\n')
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  document.querySelector('[data-rest-link]').replaceChildren(link)
}

/** Shows that a form is being answered, and how far that is. */
function waiting(form) {
  document.querySelector('main > [role="alert"]')?.remove()
  const said = document.createElement('div')
  said.className = 'busy'
  said.setAttribute('role', 'status')
  const words = document.createElement('span')
  const bar = document.createElement('progress')
  bar.setAttribute('aria-label', 'Progress')
  words.textContent = 'Sending and reading the file…'
  said.append(words, bar)
  form.after(said)
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  const leaving = (event) => event.preventDefault()
  addEventListener('beforeunload', leaving)
  return {
    tell({ rows, of }) {
      const count = rows.toLocaleString('en-GB')
      words.textContent = of
        ? `${count} of ${of.toLocaleString('en-GB')} rows`
        : `${count} rows read`
      if (of) Object.assign(bar, { max: of, value: Math.min(rows, of) })
    },
    end(fault) {
      removeEventListener('beforeunload', leaving)
      for (const button of buttons) button.disabled = false
      said.remove()
      if (!fault) return
      const alert = document.createElement('p')
      alert.setAttribute('role', 'alert')
      alert.textContent = fault
      form.before(alert)
    },
  }
}

/** The page that a stream of lines ends with; what comes before is told. */
async function toldBy(body, tell) {
  let text = ''
  let page
  const take = (line) => {
    if (line === '') return
    const said = JSON.parse(line)
    if (said.page === undefined) tell(said)
    else page = said.page
  }
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value = '' } = await reader.read()
    const lines = (text + value).split('\n')
    text = lines.pop()
    for (const line of lines) take(line)
    if (done) break
  }
  take(text)
  return page
}
