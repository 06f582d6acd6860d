import { describe, expect, test } from 'vitest'
import { createEditorProject } from '../../../src/cli/editors/editor-project.ts'
import { planQuickFix } from '../../../src/cli/open/quick-fixes.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { toOffset } from '../../support/to-offset.ts'

/** Checks a document, and returns its text after each offered fix, with the codes that are left. */
async function fixAll(file: string, text: string) {
  const files = createMemoryFiles({ [file]: text })
  const fetchDocument = () => Promise.reject(new Error('Unexpected request'))
  const project = createEditorProject(() => ({ files, fetchDocument }))
  const check = async (content: string) => (await project.check(new Map([[file, content]]), () => true)).diagnostics
  const fixed: { readonly title: string; readonly text: string; readonly isGone: boolean; readonly isProvable: boolean }[] = []
  for (const diagnostic of await check(text)) {
    const { start, end } = diagnostic.range
    const offsets = { start: toOffset(text, start), end: toOffset(text, end) }
    const fix = await planQuickFix(diagnostic, offsets, { path: file, text })
    if (!fix) continue
    const next = text.slice(0, fix.offsets.start) + fix.newText + text.slice(fix.offsets.end)
    const left = await check(next)
    const isGone = !left.some(({ code, message }) => code === diagnostic.code && message === diagnostic.message)
    fixed.push({
      title: fix.title,
      text: next,
      isProvable: fix.isProvable,
      isGone: isGone && !left.some(({ code }) => /syntax|parse/.test(code)),
    })
  }
  return fixed
}

const yaml = (paths: string, info = 'info: {title: A, version: "1"}') => `openapi: 3.1.0\n${info}\npaths:\n${paths}`
const get = (body: string) => `  /a:\n    get:\n${body}      responses: {'200': {description: Good}}\n`

describe('quick fixes', () => {
  test.each([
    ['a misspelled field', 'a.yaml', yaml(get('      sumary: A\n')), 'Replace with summary', '      summary: A'],
    [
      'a field in JSON',
      'a.json',
      '{"openapi":"3.1.0","info":{"titel":"A","version":"1"},"paths":{}}',
      'Replace with "title"',
      '{"title":"A"',
    ],
    [
      'a status code',
      'a.yaml',
      yaml('  /a: {get: {responses: {20O: {description: Good}}}}\n'),
      "Replace with '200'",
      "{'200': {",
    ],
    [
      'a value without quotes',
      'a.yaml',
      yaml('  {}\n', 'info: {title: A, version: 1.0}'),
      'Replace with "1.0"',
      'version: "1.0"}',
    ],
    ['a value with quotes', 'a.yaml', yaml(get("      deprecated: 'true'\n")), 'Replace with true', 'deprecated: true'],
    [
      'a reference',
      'a.yaml',
      `${yaml("  /a: {get: {responses: {'200': {$ref: '#/components/responses/Godo'}}}}\n")}components: {responses: {Good: {description: A}}}\n`,
      "Replace with '#/components/responses/Good'",
      "'#/components/responses/Good'}",
    ],
    [
      'a response code without quotes',
      'a.yaml',
      yaml('  /a: {get: {responses: {200: {description: Good}}}}\n'),
      "Replace with '200'",
      "{'200': {",
    ],
    [
      'a missing field',
      'a.yaml',
      yaml('  {}\n', 'info:\n  title: A'),
      'Add version: 1.0.0',
      'info:\n  version: 1.0.0\n  title: A',
    ],
    [
      'a missing field in braces',
      'a.yaml',
      yaml('  {}\n', 'info: {title: A}'),
      'Add version: 1.0.0',
      'info: {version: 1.0.0, title: A}',
    ],
    [
      'a missing field in JSON',
      'a.json',
      '{"openapi":"3.1.0","info":{"title":"A"},"paths":{}}',
      'Add version: 1.0.0',
      '"info":{"version": "1.0.0","title"',
    ],
  ])('correct %s', async (_name, file, text, title, expected) => {
    const fixes = await fixAll(file, text)
    const fix = fixes.find((each) => each.title === title)
    expect(fixes.map((each) => each.title)).toContain(title)
    expect(fix?.text).toContain(expected)
    expect(fix?.isGone).toBe(true)
    expect(fix?.isProvable).toBe(!/^Add version|responses\/Good/.test(title))
  })

  test.each([['the hint leaves a choice', yaml(get('      wrong: A\n'))]])('are not offered if %s', async (_name, text) => {
    expect(await fixAll('a.yaml', text)).toEqual([])
  })
  test('replace only the word that the hint corrects', async () => {
    const servers = get('      servers: [{url: "https://{hots}/", variables: {host: {default: a}}}]\n')
    const fixes = await fixAll('a.yaml', yaml(servers))
    expect(fixes.map(({ title, isGone }) => [title, isGone])).toEqual([['Replace with hots', true]])
  })
})
