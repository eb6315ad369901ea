/**
 * The floor: a bare Worker that runs one prepared statement and sends the text of its rows. The table
 * `floor` holds each page's text, one row per record.
 */
export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const page = new URL(request.url).searchParams.get('page')
    const { results } = await env.DB.prepare(
      'SELECT text FROM floor WHERE page = ? AND place >= ? ORDER BY place LIMIT ?',
    )
      .bind(page, 0, 250)
      .all<{ text: string }>()
    const text = results.map((row) => row.text).join('')
    return new Response(text, { headers: { 'Content-Type': 'application/json' } })
  },
}
