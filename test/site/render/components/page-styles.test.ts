import { expect, test } from 'vitest'
import { renderStyles, toStyleClass } from '../../../../src/site/render/components/page-styles.ts'

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

test('takes linear time for a text that repeats a class', () => {
  const startedAt = performance.now()
  expect(renderStyles(`<p>${`${name} `.repeat(50_000)}</p>`)).toBe('')
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
