// Leaves at once: the page disappears, and its entry in the history is replaced. The link works without this script too.
const link = document.querySelector('[data-exit]')
const presses = 3
const maxMs = 5000
/** When Shift was pressed alone. */
let times = []

document.querySelector('[data-exit-keys]').hidden = false

function leave() {
  document.title = ''
  document.body.replaceChildren()
  // An embedded page leaves the website that shows it.
  top.location.replace(link.href)
}

link.addEventListener('click', (event) => {
  event.preventDefault()
  leave()
})

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Shift') times = []
})
document.addEventListener('keyup', ({ key, timeStamp }) => {
  if (key !== 'Shift') return
  times = [...times.filter((time) => timeStamp - time < maxMs), timeStamp]
  if (times.length === presses) leave()
})
