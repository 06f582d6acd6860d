import { describe, expect, it } from 'vitest'
import { createTimeLimit } from '../../../src/docs/read/time-limit.ts'
import type { RuleContext, RuleFunction } from '../../../src/rules/ruleset.ts'
import { runRuleset } from '../../../src/rules/run/run-ruleset.ts'
import { findFunction } from '../functions/run-function.ts'
import { longRun, readFiles, reportValue, runRules, toRule, toRuleset } from '../run-rules.ts'

const head = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
`

const pets = {
  'openapi.yaml': `${head}paths:
  /pets:
    get: { operationId: listPets, responses: { '200': { description: OK } } }
    post: { responses: { '200': { description: OK } } }
  /cats: { $ref: paths/cats.yaml }
components:
  schemas:
    Pet: { type: object, properties: { owner: { $ref: schemas.yaml#/Owner }, parent: { $ref: '#/components/schemas/Pet' } } }
    Owner: { $ref: schemas.yaml#/Owner }
`,
  'paths/cats.yaml': "get: { responses: { '200': { description: OK } } }\n",
  'schemas.yaml': 'Owner: { type: object, properties: { name: {} } }\n',
}

/** A function with its options. */
function withOptions(name: string, options?: unknown): RuleFunction {
  return (value, _options, context) => findFunction(name).run(value, options, context)
}

describe('runRuleset', () => {
  it('locates problems in the file where the value is written', async () => {
    const rules = { 'operation-id': { given: '$.paths[*][get,post]', field: 'operationId' } }
    expect(await runRules(pets, toRuleset(rules))).toEqual([
      'warning operation-id openapi.yaml#/paths/~1pets/post post.operationId is missing',
      'warning operation-id paths/cats.yaml#/get get.operationId is missing',
    ])
  })

  it('reports an object once, however many references lead to it', async () => {
    const rules = { 'property-type': { given: '$..properties[*]', field: 'type' } }
    expect(await runRules(pets, toRuleset(rules))).toEqual([
      'warning property-type schemas.yaml#/Owner/properties/name name.type is missing',
    ])
  })

  it('reports each message once per location', async () => {
    const twice = () => [{ message: 'one' }, { message: 'one' }, { message: 'two' }]
    expect(await runRules(pets, toRuleset({ twice: { given: ['$.info', '$.info.title^'], run: twice } }))).toEqual([
      'warning twice openapi.yaml#/info one',
      'warning twice openapi.yaml#/info two',
    ])
  })

  it('reads the entry document as written with `resolved: false`', async () => {
    const rules = { reference: { given: '$..$ref', resolved: false, run: reportValue } }
    expect(await runRules(pets, toRuleset(rules))).toEqual([
      'warning reference openapi.yaml#/components/schemas/Owner/$ref found',
      'warning reference openapi.yaml#/components/schemas/Pet/properties/owner/$ref found',
      'warning reference openapi.yaml#/components/schemas/Pet/properties/parent/$ref found',
      'warning reference openapi.yaml#/paths/~1cats/$ref found',
    ])
  })

  it('counts components as used that only other files refer to', async () => {
    const files = {
      'openapi.yaml': `${head}paths:
  /pets: { $ref: paths/pets.yaml }
  /cats: { get: { responses: { '200': { $ref: 'openapi.yaml#/components/responses/Cat' } } } }
components:
  schemas: { Pet: {}, Name/first: {}, Unused: {} }
  responses: { Cat: { description: OK } }
`,
      'paths/pets.yaml': `get:
  parameters:
    - { name: name, in: query, schema: { $ref: ../openapi.yaml#/components/schemas/Name~1first } }
  responses:
    '200': { description: OK, content: { application/json: { schema: { $ref: ../openapi.yaml#/components/schemas/Pet } } } }
`,
    }
    const options = { reusableObjectsLocation: '#/components/schemas' }
    const rules = {
      'oas3-unused-component': { given: '$', resolved: false, run: withOptions('oasUnusedComponent') },
      'unused-schema': { given: '$.components.schemas', run: withOptions('unreferencedReusableObject', options) },
    }
    expect(await runRules(files, toRuleset(rules))).toEqual([
      'warning oas3-unused-component openapi.yaml#/components/schemas/Unused `Unused` is not referenced',
      'warning unused-schema openapi.yaml#/components/schemas/Unused `Unused` is not referenced',
    ])
  })

  it('warns once of a schema whose reference has no target, and checks whether values exist', async () => {
    const run = withOptions('schema', { schema: { $ref: './id.yaml' } })
    const rules = { 'operation-id': { given: '$.paths[*][get,post]', field: 'operationId', run } }
    expect(await runRules(pets, toRuleset(rules))).toEqual([
      'warning operation-id openapi.yaml#/paths/~1pets/post `operationId` must be present',
      'warning operation-id paths/cats.yaml#/get `operationId` must be present',
      'warning ruleset-problem .spectral.yaml#/rules/operation-id Rule `operation-id` does not check some values: its schema has the unresolved `$ref` `./id.yaml`',
    ])
  })

  it('locates keys where they are written, not at the target of their reference', async () => {
    const rules = {
      key: { given: '$.components.schemas', field: '@key', run: reportValue },
      'key-of-path': { given: '$.paths[*]~', message: '{{error}} {{value}}', run: reportValue },
    }
    expect(await runRules(pets, toRuleset(rules))).toEqual([
      'warning key openapi.yaml#/components/schemas/Owner found',
      'warning key openapi.yaml#/components/schemas/Pet found',
      'warning key-of-path openapi.yaml#/paths/~1cats found /cats',
      'warning key-of-path openapi.yaml#/paths/~1pets found /pets',
    ])
  })

  it('locates a problem at the closest value of the path that a function names', async () => {
    const run = () => [{ message: '{{property}}: {{error}}{{value}}', path: ['paths', '/cats', 'get', 'tags', 0] }]
    expect(await runRules(pets, toRuleset({ tags: { given: '$', run } }))).toEqual([
      'warning tags paths/cats.yaml#/get get.tags[0]: [object Object]',
    ])
  })

  it.each([
    [
      'message',
      { message: '{{description}}: {{error}} at {{path}}', description: 'Rule' },
      'Rule: info.contact is missing at #/info',
    ],
    ['description', { description: 'Rule' }, 'Rule'],
    ['problem', {}, 'info.contact is missing'],
  ])('uses the %s as the text', async (_, fields, expected) => {
    const rules = { contact: { given: '$.info', field: 'contact', ...fields } }
    expect(await runRules(pets, toRuleset(rules))).toEqual([`warning contact openapi.yaml#/info ${expected}`])
  })

  it('applies the rules for the version', async () => {
    const formats = ['oas2', 'oas3', 'oas3_0', 'oas3_1', 'oas3_2', 'asyncapi2']
    const rules = Object.fromEntries(formats.map((format) => [format, { given: '$', formats: [format], run: reportValue }]))
    const found = await runRules(
      { 'openapi.yaml': `${head}paths: {}\n` },
      toRuleset({ any: { given: '$', run: reportValue }, ...rules }),
    )
    expect(found.map((line) => line.split(' ')[1])).toEqual(['any', 'oas3', 'oas3_1'])
  })

  it('passes the path, the documents, the options and the name of the rule to functions', async () => {
    const calls: { readonly options: unknown; readonly context: object }[] = []
    const run = (_: unknown, options: unknown, { path, rule, document, unresolved }: RuleContext) => {
      const at = (root: unknown) => JSON.stringify(Object(Object(root).components).schemas.Owner)
      calls.push({ options, context: { path, rule: rule.name, resolved: at(document), unresolved: at(unresolved) } })
      return []
    }
    const rule = toRule('seen', { given: '$.paths[*].post', field: 'responses', run })
    const place = { file: '.spectral.yaml', pointer: '/rules/seen/then' }
    const action = { field: 'responses', functionName: 'seen', run, options: { min: 1 }, place }
    // biome-ignore lint/suspicious/noThenProperty: the field of rulesets
    const rules = new Map([['seen', { ...rule, then: [action] }]])
    await runRules(pets, { rules, overrides: [] })
    const context = {
      path: ['paths', '/pets', 'post', 'responses'],
      rule: 'seen',
      resolved: '{"type":"object","properties":{"name":{}}}',
      unresolved: '{"$ref":"schemas.yaml#/Owner"}',
    }
    expect(calls).toEqual([{ options: { min: 1 }, context }])
  })
})

describe('functions that read paths', () => {
  const shared = {
    'openapi.yaml': `${head}paths:
  /pets:
    get: { responses: { '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } } }
    put: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }, responses: {} }
components:
  schemas:
    Pet: { type: object, properties: { id: { type: string }, parent: { $ref: '#/components/schemas/Pet' } } }
`,
  }
  const pet = 'openapi.yaml#/components/schemas/Pet'

  /** Runs a rule with a function that reads paths. */
  const runPathRule = async (run: RuleFunction, limits = {}) => {
    const rule = toRule('path', { given: '$.paths..properties', field: 'id', run })
    // biome-ignore lint/suspicious/noThenProperty: the field of rulesets
    const rules = new Map([['path', { ...rule, then: rule.then.map((action) => ({ ...action, readsPath: true })) }]])
    return await runRules(shared, { rules, overrides: [] }, limits)
  }

  it('are called for each path to a value, without those inside itself', async () => {
    const paths: string[] = []
    await runPathRule((_value, _options, { path }) => {
      paths.push(path.slice(2).join('.'))
      return []
    })
    expect(paths).toEqual([
      'get.responses.200.content.application/json.schema.properties.id',
      'put.requestBody.content.application/json.schema.properties.id',
    ])
  })

  it('can find a problem that depends on the path', async () => {
    const found = await runPathRule((_value, _options, { path }) => {
      return path.includes('requestBody') ? [{ message: 'Unexpected id in a request' }] : []
    })
    expect(found).toEqual([`warning path ${pet}/properties/id Unexpected id in a request`])
  })

  it('report a problem once, for the first path', async () => {
    const found = await runPathRule((_value, _options, { path }) => [{ message: path.slice(2, 4).join() }])
    expect(found).toEqual([`warning path ${pet}/properties/id get,responses`])
  })

  it('are called once for each value if there are too many paths', async () => {
    const found = await runPathRule((_value, _options, { path }) => [{ message: path.slice(2, 4).join() }], { pathSteps: 10 })
    expect(found).toEqual([
      'info ruleset-problem .spectral.yaml#/rules/path Rule `path` did not check each path in `openapi.yaml`, because there are too many: each value was checked with one of its paths',
      `warning path ${pet}/properties/id get,responses`,
    ])
  })
})

describe('overrides', () => {
  const rules = { tagged: { given: '$.paths[*][get,post]', field: 'tags', message: 'No tags' } }
  const override = (file: string, pointer: string, severity: 'error' | 'info' | 'off') => ({
    appliesTo: (path: string) => path === file,
    pointer,
    rules: new Map([['tagged', severity]]),
  })

  it('applies the override of the closest part', async () => {
    const overrides = [
      override('paths/cats.yaml', '/get', 'info'),
      override('openapi.yaml', '/paths/~1pets', 'off'),
      override('openapi.yaml', '/paths/~1pets/post', 'error'),
    ]
    expect(await runRules(pets, toRuleset(rules, overrides))).toEqual([
      'error tagged openapi.yaml#/paths/~1pets/post No tags',
      'info tagged paths/cats.yaml#/get No tags',
    ])
  })

  it('adds a rule to a part of a document', async () => {
    const rule = toRule('titled', { given: '$..title', run: reportValue })
    const add = (pointer: string) => {
      return { appliesTo: () => true, pointer, rules: new Map([['titled', rule]]) }
    }
    expect(await runRules(pets, toRuleset({}, [add('/info')]))).toEqual(['warning titled openapi.yaml#/info/title found'])
    expect(await runRules(pets, toRuleset({}, [add('/paths')]))).toEqual([])
  })
})

/** Keeps only the lines about the ruleset itself. */
const problems = (lines: readonly string[]) => lines.filter((line) => line.includes(' ruleset-problem '))

describe('limits', () => {
  const titled = { given: '$.info.title', run: reportValue }
  const found = 'warning titled openapi.yaml#/info/title found'

  it('ends a rule with a catastrophic pattern, and keeps the problems of the others', async () => {
    const pattern = /^(a+)+$/
    const slow = { given: '$.info', run: () => (pattern.test(`${'a'.repeat(60)}b`) ? [] : [{ message: 'no match' }]) }
    expect(await runRules(pets, toRuleset({ slow, titled }), { togetherMs: 100, aloneMs: 2_000 })).toEqual([
      'error ruleset-problem .spectral.yaml#/rules/slow Rule `slow` takes too long in `openapi.yaml`, so some of its problems are not reported, also in other documents',
      found,
    ])
  })

  it('ends a rule with a catastrophic pattern in its expression', async () => {
    const long = { ...pets, 'openapi.yaml': `${pets['openapi.yaml']}x-long: ${'a'.repeat(60)}b\n` }
    const slow = { given: '$[?(@.match(/^(a+)+$/))]', run: reportValue }
    const lines = await runRules(long, toRuleset({ slow, titled }), { togetherMs: 100, aloneMs: 2_000 })
    expect(lines).toContain(found)
    expect(problems(lines)).toHaveLength(1)
  })

  it('ends an expression that visits too many values', async () => {
    const deep = { given: `$${'..[?(@path !== "none")]'.repeat(6)}`, run: () => [] }
    const lines = await runRules(pets, toRuleset({ deep, titled }), { steps: 300 })
    expect(lines).toContain(found)
    expect(problems(lines)).toEqual([
      'error ruleset-problem .spectral.yaml#/rules/deep Rule `deep` takes too long in `openapi.yaml`, so some of its problems are not reported, also in other documents',
    ])
  })

  it('ends a function that visits too many values', async () => {
    const endless = {
      given: '$',
      run: (_: unknown, __: unknown, { spend }: RuleContext) => {
        for (;;) spend(1)
      },
    }
    const lines = await runRules(pets, toRuleset({ endless, titled }))
    expect(lines).toContain(found)
    expect(problems(lines)).toHaveLength(1)
  })

  it('reports a function that needs too much stack', async () => {
    const nest = (): never => nest()
    const lines = await runRules(pets, toRuleset({ nested: { given: '$', run: nest }, titled }))
    expect(lines).toContain(found)
    expect(problems(lines)).toHaveLength(1)
  })

  it('names the rules that did not run', async () => {
    const slow = {
      given: '$',
      run: () => {
        for (;;);
      },
    }
    const rules = toRuleset({ slow, titled, other: titled })
    const findings = runRuleset(rules, await readFiles(pets), createTimeLimit(200), { limits: longRun })
    expect(findings.map(({ message }) => message)).toEqual([
      'Rule `slow` and 2 others did not run in `openapi.yaml`: the ruleset takes too long',
    ])
  })

  it('does not run a slow rule on other documents, and stops after ten of them', async () => {
    const calls: string[] = []
    const endless = {
      given: '$',
      run: (_: unknown, __: unknown, { rule, spend }: RuleContext) => {
        calls.push(rule.name)
        for (;;) spend(1_000)
      },
    }
    const rules = toRuleset(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`endless-${index}`, endless])))
    const slowRules = new Set<string>()
    const run = async () =>
      runRuleset(rules, await readFiles(pets), createTimeLimit(60_000), { limits: { ...longRun, steps: 10_000 }, slowRules })
    const first = await run()
    expect(first.map(({ message }) => message.replace(/ in `.*/, ''))).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `Rule \`endless-${index}\` takes too long`),
      'Rule `endless-10` and 1 other did not run',
    ])
    expect(slowRules.size).toBe(10)
    calls.length = 0
    await run()
    expect([...new Set(calls)]).toEqual(['endless-10', 'endless-11'])
  })

  it('reports at most a number of problems per rule', async () => {
    const lines = await runRules(pets, toRuleset({ many: { given: '$..*', run: reportValue }, titled }), { problemsPerRule: 3 })
    expect(lines).toHaveLength(5)
    expect(problems(lines)).toEqual([
      'warning ruleset-problem .spectral.yaml#/rules/many Rule `many` finds more than 3 problems in `openapi.yaml`. The rest are not reported',
    ])
  })

  it('reports at most a number of problems of one call', async () => {
    const run = () => Array.from({ length: 1_000_000 }, (_, index) => ({ message: String(index) }))
    const lines = await runRules(pets, toRuleset({ many: { given: '$.info', run } }), { problemsPerRule: 3 })
    expect(lines).toHaveLength(4)
    expect(problems(lines)).toEqual([expect.stringContaining('Rule `many` finds more than 3 problems')])
  })

  it('cuts descriptions that are messages', async () => {
    const description = 'a'.repeat(5_000)
    const [line] = await runRules(pets, toRuleset({ long: { given: '$.info', description, run: reportValue } }))
    expect(line).toHaveLength('warning long openapi.yaml#/info '.length + 1_001)
  })

  it('runs 10,000 rules', async () => {
    const rules = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`rule-${index}`, titled]))
    expect(await runRules(pets, toRuleset(rules), { problems: 20_000 })).toHaveLength(10_000)
  })
})
