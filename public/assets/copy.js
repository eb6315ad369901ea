// Without this script the key can still be selected, so the button shows only with it.
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const { textContent } = document.getElementById(button.dataset.copies)
    await navigator.clipboard.writeText(textContent)
    button.textContent = 'Copied'
  })
}
