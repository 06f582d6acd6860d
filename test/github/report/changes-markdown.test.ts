import { describe, expect, test } from 'vitest'
import type { Comparison } from '../../../src/changes/change.ts'
import { maxCommentLength, renderChangesMarkdown } from '../../../src/github/report/markdown.ts'
import {
  acceptedChange,
  exampleChange,
  exampleComparison,
  hostileComparison,
  manyChanges,
} from '../../changes/example-comparison.ts'
import { everyHostileText } from '../../support/hostile-strings.ts'
import { readGithub } from '../../support/read-github.ts'

const url = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md'
const limitBytes = maxCommentLength

const renderOne = (comparison: Comparison, options: Parameters<typeof renderChangesMarkdown>[1]) => {
  const { document } = comparison.revision
  return renderChangesMarkdown([{ document, kind: 'compared', comparison, errors: { base: 0, revision: 0 } }], options)
}

describe('renderChangesMarkdown', () => {
  test('lists breaking changes first and folds the others by operation', () => {
    const risky = exampleChange({ level: 'risky', code: 'pattern-changed', message: 'Pattern changed', base: null })
    const component = exampleChange({
      method: null,
      path: null,
      operations: Array.from({ length: 7 }, (_, index) => ({ method: 'get', path: `/${index}` })),
    })
    expect(renderOne(exampleComparison([exampleChange(), component, risky]), { limitBytes })).toBe(
      `### API changes: 2 breaking, 1 risky

\`old.yaml\` → \`openapi.yaml\`, version 1.0.0 → 2.0.0

#### Breaking changes

- \`GET /pets\`: Type of query parameter \`limit\` changed from \`string\` to \`integer\`. Accept the old type too ([\`type-narrowed\`](${url}#type-narrowed); base \`old.yaml:9\`, revision \`openapi.yaml:19\`)
- Type of query parameter \`limit\` changed from \`string\` to \`integer\`. Accept the old type too ([\`type-narrowed\`](${url}#type-narrowed); base \`old.yaml:9\`, revision \`openapi.yaml:19\`). Affects \`GET /0\`, \`GET /1\`, \`GET /2\`, \`GET /3\`, \`GET /4\` and 2 more

<details><summary><code>GET /pets</code> 1 risky</summary>

- ⚠ risky: Pattern changed. Accept the old type too ([\`pattern-changed\`](${url}#pattern-changed); revision \`openapi.yaml:19\`)

</details>
`,
    )
  })

  test('folds accepted changes and counts them separately', () => {
    const changes = [acceptedChange({ author: '@ada', isNew: true }), exampleChange({ level: 'compatible' })]
    expect(renderOne(exampleComparison(changes), { limitBytes })).toBe(
      `### API changes: 1 compatible, 1 accepted

\`old.yaml\` → \`openapi.yaml\`, version 1.0.0 → 2.0.0

<details><summary><code>GET /pets</code> 1 compatible, 1 accepted</summary>

- ✔ breaking, accepted: Type of query parameter \`limit\` changed from \`string\` to \`integer\` ([\`type-narrowed\`](${url}#type-narrowed); base \`old.yaml:9\`, revision \`openapi.yaml:19\`). Accepted by @\u200Bada \\(new in this revision\\): No client sends it
- ✔ compatible: Type of query parameter \`limit\` changed from \`string\` to \`integer\`. Accept the old type too ([\`type-narrowed\`](${url}#type-narrowed); base \`old.yaml:9\`, revision \`openapi.yaml:19\`)

</details>
`,
    )
  })

  test.each(everyHostileText)('shows the text of an acceptance as text: %j', (text) => {
    const markdown = renderOne(exampleComparison([acceptedChange({ reason: text, author: text })]), { limitBytes })
    const plain = renderOne(exampleComparison([acceptedChange({ reason: 'a', author: 'a' })]), { limitBytes })
    const [shown, expected] = [readGithub(markdown), readGithub(plain)]
    expect(shown.isBalanced).toBe(true)
    expect({ ...shown, text: '' }).toEqual({ ...expected, text: '' })
  })

  test('says that there are no changes', () => {
    expect(renderOne(exampleComparison([]), { limitBytes })).toMatch(/^### API changes: no changes for API clients\n/)
  })

  test('links the places at their commits', () => {
    const links = { webUrl: 'https://github.com/acme/api', baseSha: 'a'.repeat(40), headSha: 'b'.repeat(40) }
    const markdown = renderOne(exampleComparison([exampleChange()]), { limitBytes, links })
    expect(markdown).toContain(`base [\`old.yaml:9\`](https://github.com/acme/api/blob/${links.baseSha}/old.yaml?plain=1#L9)`)
    expect(markdown).toContain(`(https://github.com/acme/api/blob/${links.headSha}/openapi.yaml?plain=1#L19)`)
  })

  test.each([1_000, 5_000, 20_000, maxCommentLength])('fits 400 changes into %i bytes and counts the others', (limit) => {
    const markdown = renderOne(manyChanges(400), { limitBytes: limit })
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(limit)
    expect(markdown).toContain('### API changes: 100 breaking, 100 risky, 200 compatible')
    expect(markdown).toMatch(/^… and \d+ more (?:sections|changes)/m)
    expect(readGithub(markdown).isBalanced).toBe(true)
  })

  test('lists everything on request', () => {
    const markdown = renderOne(manyChanges(400), { limitBytes: Number.POSITIVE_INFINITY, all: true })
    expect(markdown.match(/^- /gm)).toHaveLength(400)
    expect(markdown).not.toContain(' more ')
  })

  test.each(everyHostileText)('renders untrusted text as text: %j', (text) => {
    const found = readGithub(renderOne(hostileComparison(text), { limitBytes }))
    const elements = ['a', 'code', 'details', 'h3', 'h4', 'li', 'p', 'summary', 'ul']
    expect(found.elements.filter((name) => !elements.includes(name))).toEqual([])
    expect(found.attributes.filter((name) => name !== 'href')).toEqual([])
    expect(found.links.filter((link) => !link.startsWith(url))).toEqual([])
    expect(found.references).toEqual([])
    expect(found.isBalanced).toBe(true)
  })
})
