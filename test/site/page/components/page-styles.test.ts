import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { articleClip } from '../../../../src/site/page/components/article-clip.ts'
import { toClassName } from '../../../../src/site/page/components/component-props.tsx'
import { renderStyles, toStyleClass } from '../../../../src/site/page/components/page-styles.ts'

const name = toStyleClass('padding-top:1.25rem')

test.each([
  [`<p class="${name}">`, true],
  [`<p id="a" class="b ${name} c">`, true],
  [`<p class="b">${name}</p>`, false],
  [`<p class="">${name}</p>`, false],
  [`<p id="${name}">`, false],
  [`<p>&quot;${name}</p>`, false],
  [`<p class="s-00000000">`, false],
])('finds the generated class in %s: %s', (html, isFound) => {
  expect(renderStyles(html).includes('padding-top:1.25rem')).toBe(isFound)
})

test('reads a bounded text before each occurrence of a class', () => {
  const slice = vi.spyOn(String.prototype, 'slice')
  onTestFinished(() => slice.mockRestore())
  expect(renderStyles(`<p>${`${name} `.repeat(5_000)}</p>`)).toBe('')
  const lengths = slice.mock.results.map(({ value }) => String(value).length)
  slice.mockRestore()
  expect(lengths.length).toBeGreaterThanOrEqual(5_000)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(10_000)
})

describe('utility classes', () => {
  const styles = (className: string) =>
    renderStyles(`<p class="${toClassName({ className })}">`).replaceAll(/\.s-\w{8}(?:\.s-\w{8})*/g, '.s')
  const dark = (declarations: string) =>
    `[data-theme=dark] .s{${declarations}}@media (prefers-color-scheme:dark){:root:not([data-theme]) .s{${declarations}}}\n`

  test.each([
    // A background decides the color scheme of its content.
    ['bg-blue-600 text-white', '.s{color-scheme:dark;color:#fff;background-color:#2563eb}\n'],
    ['bg-white', '.s{color-scheme:light;color:var(--ink);background-color:#fff}\n'],
    ['bg-primary', '.s{color-scheme:dark;color:var(--ink);background-color:var(--fill-block,var(--fill))}\n'],
    [
      'bg-white dark:bg-transparent',
      `.s{color-scheme:light;color:var(--ink);background-color:#fff}\n${dark('color-scheme:dark;background-color:transparent')}`,
    ],
    ['bg-gray-950/[0.03]', '.s{background-color:#03071208}\n'],
    // Text is readable in both themes.
    ['text-emerald-700', '.s{color:#047857;color:light-dark(#047857,#3d9d79)}\n'],
    ['border-white/10', '.s{border-color:#ffffff1a}\n'],
    ['border-[#fdff75]', '.s{border-color:#fdff75}\n'],
    ['text-lg leading-relaxed', '.s{font-size:1.125rem;line-height:1.75rem;line-height:1.625}\n'],
    ['leading-relaxed text-lg', '.s{font-size:1.125rem;line-height:1.75rem;line-height:1.625}\n'],
    ['space-y-4', '.s>*+*{margin-top:1rem}\n'],
    ['opacity-75 z-10', '.s{opacity:0.75;z-index:10}\n'],
    ['absolute inset-0', `${articleClip}.s{inset:0rem;position:absolute}\n`],
    ['size-3', '.s{width:0.75rem;height:0.75rem}\n'],
    ['align-middle leading-6', '.s{vertical-align:middle;line-height:1.5rem}\n'],
    ['border-2 justify-items-center', `${articleClip}.s{border:2px solid var(--line);justify-items:center}\n`],
  ])('translates %s', (className, expected) => {
    expect(styles(className)).toBe(expected)
  })

  test.each([
    'bg-[url(//evil.example)]',
    'bg-constructor-500',
    'text-gray-650',
    'border-red-500/900',
    'bg-[#12;color:red]',
    'dark:space-y-4',
  ])('drops %s', (className) => {
    expect(toClassName({ className })).toBeUndefined()
  })
})

test('an element can have a style for each theme', () => {
  const className = toClassName({ style: 'background:#fff;color:#111', 'dark-style': 'background:#111;color:#fff' })
  const rules = renderStyles(`<p class="${className}">`).replaceAll(/\.s-\w{8}(?:\.s-\w{8})*/g, '.s')
  const dark = 'color-scheme:dark;background:#111;color:#fff'
  expect(rules).toBe(
    `.s{color-scheme:light;background:#fff;color:#111}\n[data-theme=dark] .s{${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme]) .s{${dark}}}\n`,
  )
})
