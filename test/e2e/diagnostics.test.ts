import { describe, expect, test } from 'vitest'
import { makeExampleRemote, readActionFile, runAction } from '../support/action-harness.ts'
import type { FileContents } from '../support/git-remote.ts'
import { readTree } from '../support/read-tree.ts'

const fine = "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {}\n"

async function runOn(files: FileContents, inputs: { [name: string]: string } = {}) {
  const remote = makeExampleRemote('petstore', files)
  const [tip, checkout] = [remote.tip(), remote.checkOut()]
  const tree = readTree(checkout)
  const run = await runAction(checkout, { temporaryFolder: remote.folder, inputs })
  return { run, isUntouched: remote.tip() === tip && JSON.stringify(readTree(checkout)) === JSON.stringify(tree) }
}

describe('an invalid document', () => {
  test('writes nothing and is annotated at its location', async () => {
    const { run, isUntouched } = await runOn({ 'openapi.yaml': `${fine}x: 1\n` })
    expect([run.code, isUntouched]).toEqual([1, true])
    expect(run.outputs).toMatchObject({
      changed: 'false',
      committed: 'false',
      'error-count': '1',
    })
    expect(run.commands).toHaveLength(1)
    expect(run.commands[0]).toMatchObject({
      name: 'error',
      properties: { file: 'openapi.yaml', line: '4', endLine: '4', col: '1', endColumn: '2', title: 'unknown-field' },
    })
    expect(run.summary).toContain('### API pages: 1 error in `openapi.yaml`')
  })

  test('fails the run only if requested', async () => {
    const files = { 'openapi.yaml': `${fine}x: 1\n` }
    expect((await runOn(files, { 'fail-on': 'never' })).run.code).toBe(0)
    expect((await runOn(files, { 'fail-on': 'warning' })).run.code).toBe(1)
  })

  test('shows as many annotations as GitHub allows, and logs all errors', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `wrong${index}: 1\n`).join('')
    const { run } = await runOn({ 'openapi.yaml': fine + many })
    expect(run.outputs['error-count']).toBe('60')
    expect(run.commands.filter(({ name }) => name === 'error')).toHaveLength(10)
    expect(run.text).toContain('Annotations show 10 of 60')
    expect(run.text).toContain('wrong59')
    expect(run.summary).toContain('<summary>40 more problems</summary>')
    expect(Buffer.byteLength(run.summary)).toBeLessThan(1024 * 1024)
  })
})

test('escapes text of a document in commands, mentions and tables', async () => {
  const hostile = [
    '::error file=x::forged',
    '##[error]forged',
    '%0A::warning::forged',
    '\u001b[31m',
    '@octocat `|` <b>bold</b> | x',
    '::stop-commands::x',
  ]
  const keys = hostile.map((text) => `${JSON.stringify(text)}: 1\n`).join('')
  const operation = `get: {tags: ["::error::forged"], summary: ${JSON.stringify(`a | b \`c\` @octocat <img src=x>\n::error::forged`)}, responses: {'200': {description: x}}}`
  const { run } = await runOn({
    'openapi.yaml': fine + keys,
    'other.yaml': fine.replace('paths: {}', `paths: {"/a|b@octocat": {${operation}}}`),
    'docs.json': JSON.stringify({
      name: 'x',
      theme: 'mint',
      colors: { primary: '#000000' },
      navigation: { tabs: [{ tab: '::error::forged | @octocat', openapi: ['openapi.yaml', 'other.yaml'] }] },
    }),
  })
  expect(run.outputs['error-count']).toBe(String(hostile.length))
  expect(run.commands.map(({ name, properties }) => [name, properties['file']])).toEqual(
    hostile.map(() => ['error', 'openapi.yaml']),
  )
  expect(run.stdout).not.toContain('\u001b')
  const outsideCode = run.summary.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
  expect(outsideCode).not.toMatch(/<(?!br>|\/?(?:details|summary|code|sub)>)/)
  expect(outsideCode).not.toMatch(/@\w/)
  const rows = run.summary.split('\n').filter((line) => line.startsWith('|'))
  for (const row of rows) expect(row.replaceAll(/\\./g, '').split('|')).toHaveLength(6)
  expect(run.outputs['pages-added']).toBe('1')
})

describe('sets the outputs', () => {
  const names = Object.keys(readActionFile().outputs).sort()

  test.each<[string, FileContents, { [name: string]: string }]>([
    ['when inputs are wrong', {}, { mode: 'chek', 'fail-on': 'often' }],
    ['when the document is broken', { 'openapi.yaml': '{' }, {}],
    ['when docs.json is broken', { 'docs.json': '{' }, {}],
    ['when there is no docs.json', { 'docs.json': null, 'openapi.yaml': null }, {}],
    ['when the folder is not there', {}, { 'working-directory': 'nothing/here' }],
    ['when the folder is outside', {}, { 'working-directory': '../..' }],
    ['when a glob matches nothing', {}, { openapi: 'specs/*.yaml' }],
  ])('%s, and reports the reason once', async (_, files, inputs) => {
    const present = Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null))
    const remote = makeExampleRemote('petstore', present)
    const absent = Object.fromEntries(Object.entries(files).filter(([, content]) => content === null))
    if (Object.keys(absent).length > 0) remote.push(absent)
    const run = await runAction(remote.checkOut(), { temporaryFolder: remote.folder, inputs })
    expect(run.code).toBe(1)
    expect(Object.keys(run.outputs).sort()).toEqual(names)
    expect(run.outputs).toMatchObject({ changed: 'false', committed: 'false', 'commit-sha': '' })
    expect(run.commands.filter(({ name }) => name === 'error')).toHaveLength(Math.max(1, Object.keys(inputs).length))
    expect(run.stdout + run.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m)
    expect(run.summary).not.toBe('')
  })
})
