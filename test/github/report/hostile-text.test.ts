import { describe, expect, test } from 'vitest'
import { renderPullRequestBody } from '../../../src/action/delivery/pull-request-details.ts'
import { renderSummary, toFeedback } from '../../../src/action/report/summary.ts'
import { type Feedback, renderCheckSummary, toCommentKey } from '../../../src/github/report/feedback.ts'
import { escapeMarkdown, renderCode, renderLink, renderMessage, toBlobUrl } from '../../../src/github/report/markdown.ts'
import { parseCommentMarker, renderComment } from '../../../src/github/report/render-comment.ts'
import { makeHostileFailure, makeHostileReport } from '../../action/hostile-report.ts'
import { hostileComparison } from '../../changes/example-comparison.ts'
import { hostileStrings } from '../../support/hostile-strings.ts'
import { readGithub } from '../../support/read-github.ts'

const elements = [
  'a',
  'blockquote',
  'br',
  'code',
  'details',
  'h3',
  'h4',
  'li',
  'p',
  'strong',
  'sub',
  'summary',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
]
const ourPlaces = ['https://github.com/acme/', 'https://github.com/openapi-pages/', 'https://example.com/']

function expectOnlyText(markdown: string): void {
  const found = readGithub(markdown)
  expect(found.elements.filter((name) => !elements.includes(name))).toEqual([])
  expect(found.attributes.filter((name) => name !== 'href' && name !== 'align')).toEqual([])
  expect(found.links.filter((link) => !ourPlaces.some((place) => link.startsWith(place)))).toEqual([])
  expect(found.references).toEqual([])
  expect(found.wholeRows).not.toContain(false)
  expect(found.isBalanced).toBe(true)
}

function toHostileFeedback(text: string): Feedback {
  const report = makeHostileReport(text)
  if (!report.update) throw new Error('there is an update')
  const comparison = hostileComparison(text)
  const compared = { document: `${text}.yaml`, kind: 'compared', comparison, errors: { base: 1, revision: 2 } } as const
  return {
    ...toFeedback(report, report.update),
    notes: [text, `\`${text}\`: ${text}`],
    apiChanges: {
      baseSha: 'b'.repeat(40),
      failOn: 'breaking',
      comment: 'any',
      documents: [compared, { ...compared, kind: 'added' }, { ...compared, comparison: undefined }],
    },
  }
}

describe('escaping hostile text for GitHub', () => {
  test.each(hostileStrings)('in a summary: %j', (text) => {
    expectOnlyText(renderSummary(makeHostileReport(text)))
    expectOnlyText(renderSummary(makeHostileFailure(text)))
  })

  test.each(hostileStrings)('in a check: %j', (text) => expectOnlyText(renderCheckSummary(toHostileFeedback(text))))

  test.each(hostileStrings)('in a comment: %j', (text) => {
    const comment = renderComment(toCommentKey(text), toHostileFeedback(text), undefined)
    expectOnlyText(comment?.body ?? '')
    expect(parseCommentMarker(comment?.body ?? '')).toMatchObject({ key: toCommentKey(text), digest: comment?.digest })
  })

  test.each(hostileStrings)('in the text of a pull request: %j', (text) => {
    const marker = { headSha: 'a'.repeat(40), digest: 'b'.repeat(64) }
    expectOnlyText(
      renderPullRequestBody(marker, {
        lead: '',
        feedback: toHostileFeedback(text),
        base: text,
        fileCount: 1,
        addedFiles: [text],
        stored: [
          {
            kind: 'modified',
            path: text,
            origin: { repository: text, webUrl: 'https://github.com/acme/docs', sha: 'a'.repeat(40), path: text },
          },
        ],
      }),
    )
  })
})

describe('alone, at the start of a line, in a cell, in a list, in bold, and after HTML', () => {
  const places: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `| a | b |\n|---|---|\n| ${text} | end |`,
    (text) => `- ${text}`,
    (text) => `> ${text}`,
    (text) => `**${text}** after`,
    (text) => `w<br>${text}`,
    (text) => `<sub>${text}</sub>`,
  ]
  const link = (text: string) => renderLink(text, toBlobUrl('https://github.com/acme/docs', 'a'.repeat(40), text, 3))

  test.each(hostileStrings)('%j', (text) => {
    for (const render of [escapeMarkdown, renderCode, renderMessage, link]) {
      for (const place of places) expectOnlyText(place(render(text)))
    }
  })
})

test('detects hostile syntax in unescaped text', () => {
  const found = readGithub(
    '@octocat #1 GH-1 0123abcd :tada: $x$ <img src=x> www.evil.example `@code` [a](b)\n\n| a | b |\n|---|---|\n| c |',
  )
  expect(found.references).toEqual(['@octocat', '#1', 'GH-1', '0123abcd', ':tada:', '$x$'])
  expect(found.wholeRows).toEqual([false])
  expect(found.elements).toContain('img')
  expect(found.links).toEqual(['http://www.evil.example', 'b'])
})
