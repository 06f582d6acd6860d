import { describe, expect, test } from 'vitest'
import { markLines, readCodeMeta } from '../../../../src/site/page/code/code-meta.ts'

describe('readCodeMeta', () => {
  const plain = { title: undefined, icon: undefined, highlighted: [], focused: [], on: [] }
  test.each([
    ['a.js', { title: 'a.js' }],
    ['"My file.js" {1,3-4}', { title: 'My file.js', highlighted: [1, 3, 4] }],
    ['title="a {b}.js" wrap', { title: 'a {b}.js', on: ['isWrapped'] }],
    ['filename="a.js"', { title: 'a.js' }],
    ['Copy the theme title', { title: 'Copy the theme title' }],
    ['icon=java lines', { icon: 'java', on: ['hasNumbers'] }],
    ['icon="java" theme={null} twoslash', { icon: 'java' }],
    ['highlight="[1,3]" focus={2,4-5}', { highlighted: [1, 3], focused: [2, 4, 5] }],
    ['highlight=2', { highlighted: [2] }],
    ['focus="1-2"', { focused: [1, 2] }],
    ['nocopy', { on: ['hasNoCopy'] }],
    ['nocopy="false" expandable={true} lines={false}', { on: ['isExpandable'] }],
    ['placement="top-left" actions={false}', { on: ['placement'] }],
    ['{a} b', { title: 'b' }],
    ['highlight={9-1} {x', {}],
    ['title="', { title: '"' }],
  ])('%s', (meta, expected) => {
    const { title, icon, highlighted, focused, ...flags } = readCodeMeta(meta)
    const on = Object.entries(flags).flatMap(([name, isOn]) => (isOn ? [name] : []))
    expect({ title, icon, highlighted: [...highlighted], focused: [...focused], on }).toEqual({ ...plain, ...expected })
  })

  test.each(['a='.repeat(500_000), '{ '.repeat(500_000), 'x={ '.repeat(500_000), `highlight={1-${'9'.repeat(400)}}`])(
    'reads a hostile value in linear time %#',
    (meta) => {
      // Quadratic time would exceed the time limit of tests.
      expect(readCodeMeta(meta).title).toBeUndefined()
    },
  )
})

describe('markLines', () => {
  const none = { highlighted: new Set<number>(), focused: new Set<number>() }
  test.each([
    ['a // [!code ++]\nb', 'a\nb', { 1: 'add' }],
    ['a  # [!code --:2]\nb\nc', 'a\nb\nc', { 1: 'del', 2: 'del' }],
    ['<p> <!-- [!code highlight] -->', '<p>', { 1: 'hl' }],
    ['a /* [!code ++] */', 'a', { 1: 'add' }],
    ['<a> {/* [!code ++] */}', '<a>', { 1: 'add' }],
    ['f() { // [!code ++]\n}', 'f() {\n}', { 1: 'add' }],
    ['a // [!code focus]\nb', 'a\nb', { 2: 'off' }],
    ['a -- [!code ++:9999]', 'a', { 1: 'add' }],
    ['text [!code ++]', 'text [!code ++]', {}],
    ['// [!code ++] more', '// [!code ++] more', {}],
    ['// [!code word:x]', '// [!code word:x]', {}],
  ])('%j', (code, shown, marks) => {
    const marked = markLines(code, none)
    expect(marked.code).toBe(shown)
    expect(Object.fromEntries(marked.marks)).toEqual(marks)
  })

  test('reads hostile comments in linear time', () => {
    // Quadratic time would exceed the time limit of tests.
    expect(markLines('x // [!code ++:9999]\n'.repeat(50_000), none).marks.size).toBe(50_001)
    expect(markLines(`${' '.repeat(500_000)}// [!code ++]${' '.repeat(500_000)}x`, none).marks.size).toBe(0)
  })
})
