import { describe, expect, test } from 'vitest'
import { cleanStylesheet } from '../../../../src/site/content/allowed/clean-stylesheet.ts'
import { adaptToThemes } from '../../../../src/site/page/theme/stylesheet-themes.ts'

/** The stylesheet of a repository as on the site, without the marks that exclude dialogs. */
const adapt = (text: string) =>
  adaptToThemes(cleanStylesheet(text, { resolveUrl: () => undefined, isOwnStylesheet: () => false }).text).replaceAll(
    ':where(:not(dialog,dialog *))',
    '',
  )

const dark = ':is(.x-dark,[data-theme=dark])'

describe('text colors without a background', () => {
  test.each([
    ['dark text', '.a{color:#111;margin:0}', '.x-a{color:#111;color:light-dark(#111,#d0d0d0);margin:0}'],
    ['a priority', '.a{color:#111!important}', '.x-a{color:#111!important;color:light-dark(#111,#d0d0d0)!important}'],
    ['a variable', ':root{--t:#111}.a{color:var(--t)}', ':root{--t:#111}.x-a{color:var(--t);color:light-dark(var(--t),#d0d0d0)}'],
    ['a nested rule', '.a{& b{color:#111}}', '.x-a{& b{color:#111;color:light-dark(#111,#d0d0d0)}}'],
  ])('%s is lighter in the dark theme', (_name, text, expected) => {
    expect(adapt(text)).toBe(expected)
  })

  test.each([
    ['light text', '.a{color:#fff}', '.x-a{color:#fff}'],
    ['a rule for the dark theme', '.dark .a{color:#111}', `${dark} .x-a{color:#111}`],
    ['a rule inside of one for the dark theme', '.dark{& a{color:#111}}', `${dark}{& a{color:#111}}`],
    ['a rule for the light theme', 'html:not(.dark) p{color:#111}', `html:not(${dark}) p{color:#111}`],
    [
      'a class with a color for the light theme',
      '.a{color:#111}.light .a{color:#fff}',
      '.x-a{color:#111}:is(.x-light,[data-theme=light]) .x-a{color:#fff}',
    ],
    [
      'a variable that is light in the dark theme',
      ':root{--t:#111}.dark{--t:#eee}.a{color:var(--t)}',
      `:root{--t:#111}${dark}{--t:#eee}.x-a{color:var(--t)}`,
    ],
    ['an unknown variable', '.a{color:var(--t)}', '.x-a{color:var(--t)}'],
    ['print', '@media print{.a{color:#111}}', '@media print{.x-a{color:#111}}'],
    ['an animation', '@keyframes a{to{color:#111}}', '@keyframes a{to{color:#111}}'],
    [
      'a clipped background',
      '.a{background:red;background-clip:text;color:#111}',
      '.x-a{background:red;background-clip:text;color:#111}',
    ],
    ['an own color scheme', '.a{color-scheme:light;background:#fff}', '.x-a{color-scheme:light;background:#fff}'],
  ])('%s stays', (_name, text, expected) => {
    expect(adapt(text)).toBe(expected)
  })

  test('text on a drawn background stays', () => {
    expect(adapt('.a::before{background:#ff0}.a b{color:#111}')).toBe(
      '.x-a::before{background:#ff0;color-scheme:light}.x-a b{color:#111}',
    )
  })
})

describe('backgrounds', () => {
  const inDark = (selector: string) => `:where([data-theme=dark]) :where(${selector}){color:var(--ink)}`

  test.each([
    ['a light background', '.a{background:#fff}', `${inDark('.x-a')}.x-a{background:#fff;color-scheme:light}`],
    ['a background with a text color', '.a{background:#fff;color:#111}', '.x-a{background:#fff;color-scheme:light;color:#111}'],
    [
      'a dark background',
      '.a{background-color:#111!important}',
      ':where(:root:not([data-theme=dark])) :where(.x-a){color:var(--ink)}.x-a{background-color:#111!important;color-scheme:dark!important}',
    ],
    [
      'a variable',
      ':root{--g:#fff}.a{background:var(--g)}',
      `:root{--g:#fff}${inDark('.x-a')}.x-a{background:var(--g);color-scheme:light}`,
    ],
    [
      'a background color without an image',
      '.a{background-color:#111;background-image:none;color:#fff}',
      '.x-a{background-color:#111;background-image:none;color-scheme:dark;color:#fff}',
    ],
    [
      'a gradient for the edges in one theme',
      '.dark .a{background-image:linear-gradient(transparent,#ff0)}',
      `${dark} .x-a{background-image:linear-gradient(transparent,#ff0);color-scheme:dark}`,
    ],
    ['a background for one theme', '.dark .a{background:none}', `${dark} .x-a{background:none;color-scheme:dark}`],
  ])('%s sets the color scheme of the text in it', (_name, text, expected) => {
    expect(adapt(text)).toBe(expected)
  })

  test.each([
    ['an image', '.a{background:none}', '.x-a{background:none}'],
    [
      'a variable with a value for each theme',
      ':root{--g:#fff}.dark{--g:#111}body{background:var(--g)}',
      `:root{--g:#fff}${dark}{--g:#111}body{background:var(--g)}`,
    ],
    [
      'a variable with different values',
      '.b{--g:#fff}.c{--g:#111}.a{background:var(--g)}',
      '.x-b{--g:#fff}.x-c{--g:#111}.x-a{background:var(--g)}',
    ],
  ])('%s has no color scheme', (_name, text, expected) => {
    expect(adapt(text)).toBe(expected)
  })
})

test('the theme switch controls rules for the color scheme of the system', () => {
  const dark = ':where([data-theme=dark],[data-theme=dark] *)'
  const light = ':where(:root:not([data-theme=dark]),:root:not([data-theme=dark]) *)'
  expect(adapt('@media (prefers-color-scheme: dark){.a b::before,i{margin:0;color:#eee}}')).toBe(
    `@media all{.x-a b${dark}::before,i${dark}{margin:0;color:#eee}}`,
  )
  expect(adapt('@media (prefers-color-scheme: light){.a{color:#111}}')).toBe(`@media all{.x-a${light}{color:#111}}`)
})

test.each([
  `.a{color:var(--v0)}:root{${Array.from({ length: 30 }, (_, index) => `--v${index}:var(--v${index + 1}) var(--v${index + 1})`).join(';')}}`,
  `${Array.from({ length: 500 }, (_, index) => `.c${index}{--v:rgb(0 0 ${index % 200});--w:var(--v)}`).join('')}.a{background:var(--w) var(--v) var(--v)}`,
  ':root{--v:var(--v)}.a{color:var(--v)}',
])('variables that refer to each other take bounded time', (text) => {
  expect(adapt(text)).not.toBe('')
})
