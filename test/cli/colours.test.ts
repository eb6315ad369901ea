import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast } from '../public/contrast.ts'

test.each(['public.css', 'dashboard.css'])(
  'edges of controls and the focus stand out by %s, light and dark',
  (file) => {
    const css = readFileSync(`public/assets/${file}`, 'utf8')
    const schemes = [...css.matchAll(/:root \{([^}]*--surface[^}]*)\}/g)].map(
      ([, tokens]) => tokens,
    )
    expect(schemes).toHaveLength(2)
    for (const tokens of schemes) {
      const colour = (name: string) => {
        const [, digits = ''] = new RegExp(`--${name}: #(\\w+);`).exec(tokens ?? '') ?? []
        return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
      }
      for (const name of ['edge', 'focus', 'danger'])
        expect(contrast(colour(name), colour('surface')), name).toBeGreaterThanOrEqual(3)
    }
  },
)
