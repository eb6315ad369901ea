type Rgb = readonly [number, number, number]

/** The colour of public.css for an organisation without its own. */
export const usualColour = '#0b6158'

/** The surfaces of public.css. */
const surfaces = { light: '#ffffff', dark: '#131817' }

/**
 * The stylesheet of an organisation's colour (`#rrggbb`): the banner keeps the colour, links
 * and buttons have a darker or lighter shade with enough contrast (WCAG AA).
 */
export function buildColours(colour: string): string {
  const brand = parse(colour)
  const light = buildScheme(brand, parse(surfaces.light), {
    softness: 0.08,
    end: black,
    contrast: minContrast,
  })
  const dark = buildScheme(brand, parse(surfaces.dark), { softness: 0.15, end: white, contrast: 7 })
  return `:root{--brand:${colour};--on-brand:${format(textOn(brand))};${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
`
}

type Scheme = { softness: number; end: Rgb; contrast: number }

function buildScheme(brand: Rgb, surface: Rgb, scheme: Scheme): string {
  const { softness, end } = scheme
  const soft = mix(surface, brand, softness)
  const accent = shade(brand, [surface, soft], scheme)
  return Object.entries({
    accent,
    'accent-hover': mix(accent, end, 0.2),
    'on-accent': textOn(accent),
    'accent-soft': soft,
  })
    .map(([name, value]) => `--${name}:${format(value)};`)
    .join('')
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/** Above the 4.5 of WCAG AA, because mixed colours are rounded. */
const minContrast = 4.6

/** The colour, mixed with `end` until it can be read on every background. */
function shade(colour: Rgb, backgrounds: readonly Rgb[], { end, contrast: min }: Scheme): Rgb {
  const steps = Array.from({ length: 21 }, (_, step) => mix(colour, end, step / 20))
  const isReadable = (it: Rgb) => backgrounds.every((background) => contrast(it, background) >= min)
  return steps.find(isReadable) ?? end
}

const textOn = (background: Rgb) => (contrast(background, white) >= minContrast ? white : black)

const mix = (from: Rgb, to: Rgb, part: number): Rgb => [
  Math.round(from[0] + (to[0] - from[0]) * part),
  Math.round(from[1] + (to[1] - from[1]) * part),
  Math.round(from[2] + (to[2] - from[2]) * part),
]

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parse(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

const format = (colour: Rgb) =>
  `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
