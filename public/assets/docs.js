const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  // Links into the page, and a key that is forgotten when the page is left.
  deepLinking: true,
  persistAuthorization: false,
  // No validator on another host.
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
})
