import { describe, expect, test } from 'vitest'
import { describeDiagram } from '../../../src/site/client/diagrams/describe-diagram.ts'
import { findExceededLimit } from '../../../src/site/client/diagrams/diagram-limits.ts'
import { toPlainLabels } from '../../../src/site/client/diagrams/to-plain-labels.ts'

describe('describeDiagram', () => {
  const none = { title: '', description: '', labels: [] }
  const cases: readonly (readonly [string, Parameters<typeof describeDiagram>[0], string])[] = [
    ['the written title and description', { ...none, type: 'er', title: 'Shop', description: 'All tables' }, 'Shop. All tables.'],
    ['only a description', { ...none, type: 'er', description: 'All\n  tables?', labels: ['A'] }, 'All tables?'],
    ['the type and the labels', { ...none, type: 'flowchart-v2', labels: ['Client', 'API', 'Client'] }, 'Flowchart: Client, API'],
    ['the type without labels', { ...none, type: 'sequence' }, 'Sequence diagram'],
    ['a type of several words', { ...none, type: 'stateDiagram', labels: ['Idle'] }, 'State diagram: Idle'],
    ['an unknown type', { ...none, type: 'constructor', labels: ['x'] }, 'Constructor diagram: x'],
    ['no type', { ...none, type: '', labels: ['x'] }, 'Diagram: x'],
  ]
  test.each(cases)('uses %s', (_, texts, expected) => {
    expect(describeDiagram(texts)).toBe(expected)
  })

  test('shortens long lists of labels', () => {
    const labels = Array.from({ length: 10_000 }, (_, index) => `label ${index}`)
    const text = describeDiagram({ ...none, type: 'pie', labels })
    expect(text).toMatch(/^Pie chart: label 0, label 1, .*label \d+…$/)
    expect(text.length).toBeLessThan(320)
    expect(describeDiagram({ ...none, type: 'pie', labels: ['x'.repeat(10_000)] }).length).toBeLessThan(320)
  })
})

describe('toPlainLabels', () => {
  test.each([
    ['A[<b>Bold</b> and <span style="color:red">red</span>]', 'A[Bold and red]'],
    ['A[One<br/>two<br>three]', 'A[One<br/>two<br>three]'],
    ['A[<div style="width: 9px;"><img src="https://a.example/c.png" alt="A cat"/></div>]', 'A[A cat]'],
    ["A[<img src='x' onerror='alert(1)'>]", 'A[Image]'],
    ['A["<script>x</script><iframe src=x>"]', 'A["x"]'],
    ['A["<details open=x>"]', 'A[" "]'],
    ['A --> B\nclick A "https://a.example"\nclick->>B: x', 'A --> B\n\nclick->>B: x'],
    ['A->>B: GET /users/<id>?x=<signed JWT>', 'A->>B: GET /users/<id>?x=<signed JWT>'],
    ['A@{ img: "https://a.example/a.svg", label: "A", w: 60 }', 'A@{  label: "A", w: 60 }'],
    ['A["&nbsp;No&nbsp; &lt;&amp;"]', 'A["\u00a0No\u00a0 #lt;#amp;"]'],
    ['A["$$x^2$$ costs $5"]', 'A["$x^2$ costs $5"]'],
    ['classDef a fill:#f00\nA <|-- B\nA --> C', 'classDef a fill:#f00\nA <|-- B\nA --> C'],
  ])('%s', (source, expected) => {
    expect(toPlainLabels(source)).toBe(expected)
  })

  test('is linear in unfinished tags', () => {
    // Quadratic time would exceed the time limit of tests.
    for (const part of ['<img ', '<div ', '@{ ', 'A@{ img: "']) expect(toPlainLabels(part.repeat(200_000))).not.toBe('')
  })
})

test.each([
  ['graph LR\nA --> B', undefined],
  [`graph LR\n${'x'.repeat(10_000)}`, 'Unexpected 10,009 characters, expected at most 10,000'],
  [`graph LR${'\n'.repeat(600)}`, 'Unexpected 601 lines, expected at most 500'],
  ['block-beta\n space:999999999', 'Unexpected `space:999999999`, expected at most 999 columns'],
  ['block-beta\n space:3', undefined],
])('limits the size of a diagram: %#', (source, expected) => {
  expect(findExceededLimit(source)).toBe(expected)
})
