import { expect, test } from 'vitest'
import { mayLeaveArticle } from '../../../../src/site/page/components/article-clip.ts'

test.each([
  'position:absolute',
  'position:relative;left:-40px',
  'margin-left:-9px',
  'transform:translateX(10px)',
  'box-shadow:0 0 0 9999px red',
  'outline:500px solid red',
  'width:2000px',
  'width:100vw',
  'min-width:50rem',
  'width:1e9px',
  'margin:calc(-1px*50)',
  'padding-left:var(--x)',
  'overflow:visible',
  'filter:drop-shadow(0 0 9px red)',
])('clips the article of %s', (declarations) => {
  expect(mayLeaveArticle(declarations)).toBe(true)
  expect(mayLeaveArticle(`color:red;${declarations};top:0`)).toBe(true)
})

test.each([
  'color:#123456;background:rgb(255 255 255)',
  'width:100%;height:auto',
  'max-width:800px',
  'margin:16px auto',
  'font-weight:700;font-size:14px',
  'z-index:999;position:static',
  'border:1px solid #ccc',
  'display:grid;gap:1rem;border-radius:0.75rem',
  '--c:#ffc107',
])('does not clip the article of %s', (declarations) => {
  expect(mayLeaveArticle(declarations)).toBe(false)
})
