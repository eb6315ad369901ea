/** Renders JSON-LD for search engines. A browser does not run it, so the Content-Security-Policy allows it. */
export const StructuredData = ({ data }: { data: object }) => (
  <script
    type="application/ld+json"
    // Without <, no text can end the element.
    dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
  />
)
