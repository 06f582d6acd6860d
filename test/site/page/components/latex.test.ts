import katex from 'katex'
import { describe, expect, test } from 'vitest'
import { addFormulaRenderer, renderFormula } from '../../../../src/site/page/components/latex.tsx'
import { renderMdx } from '../render-mdx.ts'

addFormulaRenderer(katex)

describe('formulas', () => {
  test.each([
    ['a block', '$$\n\\frac{a}{\\text{b}}\n$$\n', 'display="block"'],
    ['alone on a line', '$$\\frac{a}{\\text{b}}$$\n', 'display="block"'],
    ['inline', 'So $$\\frac{a}{\\text{b}}$$ it is\n', '<math xmlns'],
    ['with one dollar', 'So $\\frac{a}{b}$ it is\n', '<math xmlns'],
    ['as a component', '<Latex>\\sqrt[3]b</Latex>\n', '<mroot>'],
  ])('renders a formula: %s', (_name, mdx, expected) => {
    const { html, findings } = renderMdx(mdx)
    expect(html).toContain(expected)
    expect(findings).toEqual([])
  })

  test.each([
    ['money', 'It costs $5, **not** $10.\n', '<strong>not</strong> $10.'],
    ['shell variables', 'Set $HOME_DIR and $PATH_TO.\n', 'Set $HOME_DIR and $PATH_TO.'],
    ['escaped dollars next to a formula', 'From \\$5 to \\$10, $x^2$\n', 'From $5 to $10, '],
    ['code', 'Write `$$x$$`\n', '<code>$$x$$</code>'],
  ])('does not treat %s as a formula', (_name, mdx, expected) => {
    const { html, findings } = renderMdx(mdx)
    expect(html).toContain(expected)
    expect(findings).toEqual([])
  })

  test('shows the source of an invalid formula', () => {
    expect(renderMdx('$$\\frac{a$$\n').html).toContain('\\frac{a</code>')
  })

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics{https://example.com/a.png}',
    '\\htmlStyle{color: red}{x}',
    '\\htmlClass{x}{y}',
    '\\htmlData{onclick=alert(1)}{x}',
    '\\text{<script>alert(1)</script>}',
    '\\text{" onclick="alert(1)}',
    '\\text{ style="color: red"}',
    '\\colorbox{red}{x}',
    '\\def\\a{\\a\\a}\\a',
    '\\rule{1000em}{1000em}',
  ])('ignores %s', (tex) => {
    const text = renderFormula(tex, false)?.text ?? ''
    expect(text).not.toMatch(/<(?:script|a|img)[ >]|<[a-z][^>]* (?:href|src|style|on[a-z]+|data-[a-z]+)=|<[a-z][^>]*1000em/)
  })

  test('is deterministic', () => {
    const once = renderFormula('\\gdef\\x{1} a^2', true)?.text
    expect(once).toBeDefined()
    expect(renderFormula('\\gdef\\x{1} a^2', true)?.text).toBe(once)
    expect(renderFormula('\\x', true)).toBeUndefined()
  })
})
