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
