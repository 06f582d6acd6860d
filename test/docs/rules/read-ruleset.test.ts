import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toDefaultConfig } from '../../../src/docs/config/project-config.ts'
import type { RulesetSetting } from '../../../src/docs/config/ruleset-settings.ts'
import { loadRulesets, type RulesetChoice } from '../../../src/docs/rules/load-rulesets.ts'
import { createRulesetReader } from '../../../src/docs/rules/read-ruleset.ts'
import type { CheckTerms } from '../../../src/docs/types.ts'
import type { FetchDocument } from '../../../src/openapi/types.ts'
import { defaultLimits } from '../../../src/text/plain/limits.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { toAccess } from '../../support/memory-tree.ts'

interface Options extends Pick<CheckTerms, 'rulesets'> {
  readonly document?: string
  readonly root?: string
  readonly configured?: readonly RulesetSetting[] | false
  /** Content by URL. */
  readonly urls?: { readonly [url: string]: string }
}

async function read(
  files: { readonly [path: string]: string },
  { document = 'openapi.yaml', root = '', configured, urls = {}, rulesets }: Options = {},
) {
  const requested: string[] = []
  const fetchDocument: FetchDocument = async (url) => {
    requested.push(url)
    const text = urls[url]
    if (text === undefined) return { kind: 'failed', code: 'url-unreachable', reason: '404 Not Found' }
    return { kind: 'loaded', bytes: Buffer.from(text) }
  }
  const reader = createRulesetReader(
    { files: createMemoryFiles(files), fetchDocument },
    { limits: toDefaultConfig(defaultLimits.ceilings).limits, rulesets: configured },
    root,
    rulesets,
  )
  const { ruleset, findings, sources } = await reader.read(document, { openapi: '3.1.0' })
  return {
    rules: ruleset && [...ruleset.rules.keys()],
    problems: findings.map(({ file, pointer, message, hint }) =>
      [`${file}#${pointer} ${message}`, hint].filter(Boolean).join(' | '),
    ),
    sources: [...sources.keys()],
    requested,
    reader,
  }
}

const rule = (name: string) => `rules:\n  ${name}:\n    given: $.info\n    then: { function: truthy }\n`

test('finds no ruleset', async () => {
  expect(await read({ 'openapi.yaml': '' })).toMatchObject({ rules: undefined, problems: [], sources: [] })
})

test.each(['.spectral.yaml', '.spectral.yml', '.spectral.json', 'spectral.yaml', 'spectral.yml'])('finds %s', async (name) => {
  expect(await read({ [name]: rule('a') })).toMatchObject({ rules: ['a'], sources: [name] })
})

test('finds the ruleset nearest to the document', async () => {
  const files = { '.spectral.yaml': rule('top'), 'apis/.spectral.yml': rule('apis'), 'docs/.spectral.yaml': rule('docs') }
  const rulesOf = async (document: string, root?: string) =>
    (await read(files, { document, ...(root !== undefined && { root }) })).rules
  expect(await rulesOf('openapi.yaml')).toEqual(['top'])
  expect(await rulesOf('apis/v1/openapi.yaml')).toEqual(['apis'])
  expect(await rulesOf('https://example.com/openapi.json')).toEqual(['top'])
  expect(await rulesOf('specs/openapi.yaml', 'docs')).toEqual(['top'])
  const withoutTop = { 'docs/.spectral.yaml': rule('docs') }
  expect((await read(withoutTop, { document: 'specs/openapi.yaml', root: 'docs' })).rules).toEqual(['docs'])
})

test('takes an OpenAPI document named spectral.yaml for no ruleset', async () => {
  expect((await read({ 'spectral.yaml': 'openapi: 3.1.0\ninfo:\n  description: "rules: all"' })).rules).toBeUndefined()
})

test('reads each ruleset once', async () => {
  const { reader } = await read({ '.spectral.yaml': 'rules: { a: 5 }' })
  const [first, second] = [await reader.read('a.yaml', {}), await reader.read('b/c.yaml', {})]
  expect(first.findings).toBe(second.findings)
})

test('reads the rulesets of the command line or else of the configuration file', async () => {
  const files = { '.spectral.yaml': rule('found'), 'one.yaml': rule('one'), 'two.yaml': rule('two') }
  const configured = [{ kind: 'path', path: 'one.yaml' }] as const
  expect((await read(files, { configured })).rules).toEqual(['one'])
  expect((await read(files, { configured, rulesets: ['two.yaml', 'one.yaml'] })).rules).toEqual(['two', 'one'])
  expect((await read(files, { configured, rulesets: 'none' })).rules).toBeUndefined()
  expect((await read(files, { configured: false })).rules).toBeUndefined()
  expect((await read(files, { configured: [] })).rules).toEqual([])
})

test('lets the last of several rulesets define a rule', async () => {
  const files = { 'one.yaml': rule('a'), 'two.yaml': rule('a').replace('given', 'severity: error\n    given') }
  const { reader } = await read(files, { rulesets: ['one.yaml', 'two.yaml'] })
  const { ruleset } = await reader.read('openapi.yaml', {})
  expect(ruleset?.rules.get('a')?.severity).toBe('error')
})

test('reports a ruleset that does not exist', async () => {
  expect(await read({ 'style.yaml': rule('a') }, { rulesets: ['styles.yaml'] })).toMatchObject({
    rules: [],
    problems: ['styles.yaml# Cannot read the ruleset `styles.yaml`: no such file | Did you mean `style.yaml`?'],
  })
})

const extending = (name: string) => ({ 'apis/.spectral.yaml': `extends: ['${name}']\n` })
const atApis = { document: 'apis/openapi.yaml' }

test.each([
  ['./base.yaml', 'apis/base.yaml'],
  ['base.yaml', 'apis/base.yaml'],
  ['../style/base.json', 'style/base.json'],
  ['@acme/rules/strict.yaml', 'node_modules/@acme/rules/strict.yaml'],
])('extends %s', async (name, path) => {
  const manifest = { 'node_modules/@acme/rules/package.json': '{}' }
  expect(await read({ ...extending(name), ...manifest, [path]: rule('a') }, atApis)).toMatchObject({
    rules: ['a'],
    problems: [],
    sources: ['apis/.spectral.yaml', path],
  })
})

test.each([
  '{"main": "rules.yaml"}',
  '{"main": "./rules.yaml"}',
  '{"exports": "./rules.yaml", "main": "other.js"}',
  '{"exports": {".": {"import": "./rules.yaml"}}}',
])('extends a package with %s', async (manifest) => {
  const files = { 'apis/node_modules/acme/package.json': manifest, 'apis/node_modules/acme/rules.yaml': rule('a') }
  expect(await read({ ...extending('acme'), ...files }, atApis)).toMatchObject({ rules: ['a'], problems: [] })
})

const scriptHint =
  'Write it as YAML: `extends`, `rules` and `aliases` keep their form, and functions become names such as `function: truthy`'

test.each([
  [
    'acme',
    '`acme`: no such package in `node_modules` | Install it with `npm install` before the check, or copy its ruleset into the repository',
  ],
  ['/etc/passwd', '`/etc/passwd`: it is an absolute path | Use a path relative to the ruleset'],
  [
    '../../outside.yaml',
    '`../../outside.yaml`: it is outside the boundary for reading files | Move it into the repository, or widen the boundary',
  ],
  ['./rules.js', `\`./rules.js\`: \`apis/rules.js\` is JavaScript, which is not run | ${scriptHint}`],
  ['scripted', `\`scripted\`: \`node_modules/scripted/dist/index.mjs\` is JavaScript, which is not run | ${scriptHint}`],
  ['spectral:oss', '`spectral:oss`: there is no such ruleset | Use `spectral:oas`'],
  [
    'https://example.com/rules.yaml',
    '`https://example.com/rules.yaml`: a URL is only read if `--ruleset` or the configuration file names it | Add it to `rulesets` in the configuration file, with `url` and `sha256`, or commit the ruleset and use its path',
  ],
])('refuses to extend %s', async (name, problem) => {
  const files = { 'node_modules/scripted/package.json': '{"main": "dist/index.mjs"}', 'node_modules/scripted/dist/index.mjs': '' }
  const { rules, problems, requested } = await read({ ...extending(name), ...files }, atApis)
  expect(problems).toEqual([`apis/.spectral.yaml#/extends/0 Cannot read the ruleset ${problem}`])
  expect([rules, requested]).toEqual([[], []])
})

test('reports a ruleset in JavaScript instead of a ruleset above it', async () => {
  const { rules, problems } = await read({ 'apis/.spectral.js': '', '.spectral.yaml': rule('a') }, atApis)
  expect(rules).toEqual([])
  expect(problems).toEqual([
    `apis/.spectral.js# Cannot read the ruleset \`apis/.spectral.js\`: it is JavaScript, which is not run | ${scriptHint}`,
  ])
})

test('reads a URL that the user named, and what it extends on the same server', async () => {
  const urls = {
    'https://example.com/style/rules.yaml': `extends: [./base.yaml, https://other.example.com/x.yaml]\n${rule('a')}`,
    'https://example.com/style/base.yaml': rule('b'),
  }
  const { rules, problems, requested } = await read({}, { urls, rulesets: ['https://example.com/style/rules.yaml'] })
  expect(rules).toEqual(['b', 'a'])
  expect(requested).toEqual(Object.keys(urls))
  expect(problems).toHaveLength(1)
})

const url = 'https://example.com/rules.yaml'
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

test('reads a URL with the hash of its content', async () => {
  const configured = [{ kind: 'url', url, sha256: hashOf(rule('a')) }] as const
  expect(await read({}, { urls: { [url]: rule('a') }, configured })).toMatchObject({ rules: ['a'], problems: [] })
  expect(await read({}, { urls: { [url]: rule('changed') }, configured })).toMatchObject({
    rules: [],
    problems: [
      `${url}# Cannot read the ruleset \`${url}\`: its content has changed, and now has the hash \`${hashOf(rule('changed'))}\` | Review the new content, and then change \`sha256\``,
    ],
  })
})

test('applies a pinned URL once if another ruleset extends it', async () => {
  const text = `${rule('a')}${rule('b').replace('rules:\n', '')}`
  const configured = [
    { kind: 'url', url, sha256: hashOf(text) },
    { kind: 'path', path: 'local.yaml' },
  ] as const
  const files = { 'local.yaml': `extends: ${url}\nrules: { a: off }` }
  expect(await read(files, { urls: { [url]: text }, configured })).toMatchObject({ rules: ['b'], problems: [], requested: [url] })
})

test('extends no relative path of a pinned URL', async () => {
  const text = `extends: ./base.yaml\n${rule('a')}`
  const { rules, problems } = await read({}, { urls: { [url]: text }, configured: [{ kind: 'url', url, sha256: hashOf(text) }] })
  expect(rules).toEqual(['a'])
  expect(problems).toHaveLength(1)
})

test('reports what a ruleset at a URL names in a form that is no URL', async () => {
  const text = `extends: "foo://["\nfunctions: [f]\nfunctionsDir: "//["\n${rule('a')}`
  const { rules, problems } = await read({}, { urls: { [url]: text }, configured: [{ kind: 'url', url, sha256: hashOf(text) }] })
  expect(rules).toEqual(['a'])
  expect(problems).toEqual([
    expect.stringContaining('functions of a ruleset at a URL are not read'),
    `${url}#/extends Cannot read the ruleset \`foo://[\`: it is neither a path nor a URL`,
  ])
})

test('reads at most 100 rulesets of a configuration file', async () => {
  const configured = Array.from({ length: 500 }, (_, index): RulesetSetting => {
    return { kind: 'url', url: `${url}?${index}`, sha256: hashOf('') }
  })
  const { requested, problems } = await read({}, { configured })
  expect(requested).toHaveLength(100)
  expect(problems[0]).toBe(`${url}?100# At most 100 rulesets can apply`)
})

/** Takes years. */
const slowPattern = '/^(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")'
/** Takes minutes to compile. */
const largePatterns = Array.from({ length: 50 }, (_, index) => {
  return `- { function: pattern, functionOptions: { match: '/[${'\\p{RGI_Emoji}'.repeat(100)}]${index}/v' } }`
})

test.each([
  {
    what: 'a function',
    files: {
      '.spectral.yaml': `functions: [slow]\n${rule('a')}`,
      'functions/slow.js': `const isSlow = ${slowPattern}\nexport default () => {}`,
    },
    problem: 'Cannot read the function `slow` in `functions/slow.js`: it takes too long',
  },
  {
    what: 'patterns',
    files: { '.spectral.yaml': `rules:\n  a:\n    given: $\n    then:\n      ${largePatterns.join('\n      ')}` },
    problem: 'Reading the ruleset takes too long, so it is not applied',
  },
])('ends reading $what that would take too long', async ({ files, problem }) => {
  const choice: RulesetChoice = { kind: 'found', path: '.spectral.yaml' }
  const { findings } = await loadRulesets(choice, toAccess(files), defaultLimits, 100)
  expect(findings[0]?.message).toBe(problem)
})

test('tries a limited number of imports of a function', async () => {
  const specifiers = Array.from({ length: 20_000 }, (_, index) => `"./missing${index}"`)
  const files = createMemoryFiles({
    '.spectral.yaml': `functions: [many]\n${rule('a')}`,
    'functions/many.js': `export default () => [${specifiers.join()}]`,
  })
  let count = 0
  const read: typeof files.read = async (...args) => {
    count++
    return await files.read(...args)
  }
  await loadRulesets({ kind: 'found', path: '.spectral.yaml' }, { ...toAccess({}), files: { ...files, read } }, defaultLimits)
  expect(count).toBeLessThan(10_000)
})

test('reports a link of the ruleset that leaves the boundary', async () => {
  const files = createMemoryFiles({ 'apis/.spectral.yaml': rule('a') })
  const linked: typeof files = {
    ...files,
    read: async (path, ...more) => (path === 'apis/.spectral.yaml' ? { kind: 'outside' } : await files.read(path, ...more)),
  }
  const access = { ...toAccess({}), files: linked }
  const reader = createRulesetReader(access, { limits: defaultLimits, rulesets: undefined }, '', undefined)
  expect((await reader.read('../openapi.yaml', { openapi: '3.1.0' })).findings).toEqual([])
  const { findings } = await reader.read('apis/openapi.yaml', { openapi: '3.1.0' })
  expect(findings.map(({ message }) => message)).toEqual([
    'Cannot read the ruleset `apis/.spectral.yaml`: it is outside the boundary for reading files',
  ])
})
