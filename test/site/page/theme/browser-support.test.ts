import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate, parse, walk } from 'css-tree'
import { Features, transform } from 'lightningcss'
import { globSync } from 'tinyglobby'
import { expect, test } from 'vitest'
import { stylesheet } from '../../../../src/app/screens/pages/stylesheet.ts'

/** What all browsers that `docs/site.md` names know. Before you add a name, look at https://caniuse.com. */
const everywhere = `
  -webkit-box-orient -webkit-font-smoothing -webkit-line-clamp ::-webkit-details-marker ::-webkit-search-cancel-button
  ::backdrop ::placeholder :after :before :checked :disabled :empty :first-child :first-of-type :focus :focus-visible
  :focus-within :has :hover :is :last-child :modal :not :nth-child :nth-of-type :only-child :popover-open :root :target
  :where @import @keyframes @media @property accent-color align-content align-items align-self animation appearance
  aspect-ratio background background-color block-size border border-block border-bottom border-bottom-color
  border-collapse border-color border-end-start-radius border-inline-start border-left border-radius border-right
  border-start-start-radius border-style border-top border-width bottom box-shadow box-sizing break-after break-before
  break-inside calc() clamp() clip-path color color-mix() color-scheme column-gap contain content counter()
  counter-increment counter-reset cursor direction display fill filter fit-content() flex flex-basis flex-direction
  flex-flow flex-shrink flex-wrap float font font-family font-size font-style font-variant-numeric font-weight gap
  grid-area grid-auto-rows grid-column grid-template grid-template-columns grid-template-rows height hue-rotate()
  inherits initial-value inset inset() inset-block inset-inline inset-inline-end inset-inline-start invert()
  justify-content justify-items justify-self left letter-spacing light-dark() line-clamp line-height linear-gradient()
  list-style margin margin-block margin-block-start margin-bottom margin-inline margin-inline-end margin-inline-start
  margin-left margin-right margin-top mask mask-image max() max-height max-width min() min-height min-width minmax()
  object-fit object-position opacity order outline outline-offset overflow overflow-wrap overflow-x overscroll-behavior
  padding padding-block padding-bottom padding-inline padding-inline-end padding-inline-start padding-left padding-right
  padding-top place-items pointer-events position print-color-adjust repeat() repeating-conic-gradient() resize right
  rotate round() row-gap scroll-margin-top scroll-padding-top stroke stroke-linecap stroke-linejoin stroke-width syntax
  tab-size text-align text-decoration text-decoration-color text-decoration-style text-decoration-thickness text-indent
  text-overflow text-size-adjust text-transform text-underline-offset top transition translate unicode-bidi user-select var() vertical-align visibility white-space
  width z-index
`
/** What some of them do not know, and what their readers see instead. No content may depend on it. */
const newer: Readonly<Record<string, string>> = {
  '::details-content': 'a script opens the navigation on wide screens',
  '::highlight': 'matches between properties and samples are not marked',
  'anchor() anchor-name anchor-scope anchor-size() position-anchor position-area position-try-fallbacks':
    'lists are in the middle of the window',
  'animation-timeline scroll()': 'no shadow at the edge of what scrolls',
  'attr()': 'the scroll bar of a long sample is not exact before it is shown',
  'contain-intrinsic-height content-visibility': 'long pages take longer to draw',
  'field-sizing': 'a list is as wide as its longest entry',
  'overflow-clip-margin': 'outlines at the edge are cut',
  'scrollbar-color scrollbar-width': 'the scroll bars of the system',
  'text-wrap': 'lines of unequal length',
}
/** With other styles in place, or a script. */
const conditions = [
  '@supports (anchor-scope:all)',
  '@supports (animation-timeline:scroll())',
  '@supports (position-area:bottom)',
  '@supports selector(::details-content)',
  '@supports selector(:has(*))',
]

test('styles use what all supported browsers know, and nothing that content depends on otherwise', () => {
  const root = join(import.meta.dirname, '../../../../src/site/page/theme')
  const texts = globSync('**/*.css', { cwd: root }).map((name) => readFileSync(join(root, name), 'utf8'))
  const found = new Set<string>()
  for (const text of [...texts, stylesheet]) {
    const { code } = transform({ filename: 'styles.css', code: Buffer.from(text), include: Features.Nesting })
    walk(parse(code.toString()), (node) => {
      if (node.type === 'PseudoClassSelector') found.add(`:${node.name}`)
      if (node.type === 'PseudoElementSelector') found.add(`::${node.name}`)
      if (node.type === 'Declaration' && !node.property.startsWith('--')) found.add(node.property)
      // Safari drops a text decoration that is more than a line.
      if (node.type === 'Declaration' && node.property === 'text-decoration' && generate(node.value).includes(' '))
        found.add(generate(node))
      if (node.type === 'Function') found.add(`${node.name}()`)
      if (node.type !== 'Atrule') return
      found.add(node.name === 'supports' && node.prelude ? `@supports ${generate(node.prelude)}` : `@${node.name}`)
    })
  }
  const known = [...everywhere.trim().split(/\s+/), ...Object.keys(newer).flatMap((names) => names.split(' ')), ...conditions]
  expect([...found].sort()).toEqual(known.sort())
})
