import { encode } from 'uqr'

/** The white space around a code, in dots. Cameras need four. */
const quietZone = 4

/**
 * Renders a text as a QR code. It is black on white in every colour scheme and has no outline, whatever
 * the style sheet of the page says of pictures, so that cameras read it.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: quietZone })
  const dots = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" stroke="none" />
      <path d={dots.join('')} fill="#000" stroke="none" shape-rendering="crispEdges" />
    </svg>
  )
}
