const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  // Link to operations, and forget the key when the page closes.
  deepLinking: true,
  persistAuthorization: false,
  // Do not send the document to an external validator.
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  // More than a hundred operations: show their groups first.
  docExpansion: 'none',
})
