import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildColours } from '../../src/public/ui/colours.ts'
import { contrast } from './contrast.ts'

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
