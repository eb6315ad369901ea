// Marks bookings by their codes, with the camera where the browser reads codes.
const scan = document.querySelector('[data-scan]')
const scanStatus = document.querySelector('[data-scan-status]')
const scanned = document.querySelector('[data-scanned]')
const camera = document.querySelector('[data-camera]')
const video = document.querySelector('[data-video]')
const scanMs = 300
let lastCode

scan.addEventListener('submit', async (event) => {
  event.preventDefault()
  await markCode(scan.elements.link.value)
  scan.reset()
  scan.elements.link.focus()
})

// The script of the register reads the form first.
scanned.addEventListener('submit', ({ target }) => setTimeout(() => target.closest('li').remove()))

camera.hidden = !('BarcodeDetector' in window && navigator.mediaDevices)
camera.addEventListener('click', async () => {
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment' },
    })
  } catch {
    showScan('The camera is not available: allow it for this page, or search for the name.')
    return
  }
  camera.hidden = true
  video.hidden = false
  await video.play()
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  for (;;) {
    const [code] = await detector.detect(video)
    // The same code stays in the picture for a while.
    if (code && code.rawValue !== lastCode) {
      lastCode = code.rawValue
      await markCode(code.rawValue)
    }
    await new Promise((resolve) => setTimeout(resolve, scanMs))
  }
})

async function markCode(link) {
  showScan('Reading the code…')
  try {
    const response = await fetch(scan.action, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({ link, event: scan.elements.event.value }),
    })
    const { message, people = '', rows = [] } = await response.json()
    showScan(message)
    showPeople(people)
    for (const detail of rows) document.dispatchEvent(new CustomEvent('marked', { detail }))
  } catch {
    lastCode = undefined
    showScan('No connection: search for the name and tap Came.')
  }
}

/** Shows the people of a code. A button takes one of them back, and the register sends it. */
function showPeople(html) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  scanned.replaceChildren(...[...body.children].map((person) => document.adoptNode(person)))
}

function showScan(message) {
  scanStatus.textContent = message
}
