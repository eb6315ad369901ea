import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildColours } from '../../src/public/ui/colours.ts'

const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string) => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The colours of the surface and of quiet text in public.css. */
const light = { surface: '#ffffff', quiet: '#586461' }
const dark = { surface: '#131817', quiet: '#a0aca9' }

test('an organisation’s pages are readable in any colour, light and dark', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((number) => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, (colour) => {
      const schemes = buildColours(colour).split('@media')
      for (const [scheme, { surface, quiet }] of [
        [schemes[0], light],
        [schemes[1], dark],
      ] as const) {
        const value = (name: string) =>
          new RegExp(`--${name}:(#\\w{6})`).exec(scheme ?? '')?.[1] ?? ''
        const [accent, soft] = [value('accent'), value('accent-soft')]
        const pairs = [
          [accent, surface],
          [accent, soft],
          [quiet, soft],
          [value('on-accent'), accent],
          ...(scheme === schemes[0] ? [[value('on-brand'), value('brand')]] : []),
        ]
        for (const [one = '', other = ''] of pairs)
          expect(contrast(one, other), `${one} on ${other}`).toBeGreaterThanOrEqual(4.5)
      }
    }),
    { numRuns: 300, examples: [['#000000'], ['#ffffff'], ['#767676'], ['#5b2a6e']] },
  )
})
