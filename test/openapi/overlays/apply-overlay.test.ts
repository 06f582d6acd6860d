import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { checkDescription } from '../../../src/checks/check-description.ts'
import { finishDiagnostics } from '../../../src/diagnostics/finish-diagnostics.ts'
import { createQueryNodes } from '../../../src/docs/read/query-json-path.ts'
import { applyOverlays } from '../../../src/openapi/overlays/apply-overlay.ts'
import { parseOverlay } from '../../../src/openapi/overlays/parse-overlay.ts'
import type { LoadDocument } from '../../../src/openapi/types.ts'
import { capLimits, defaultLimits } from '../../../src/text/plain/limits.ts'

/** Applies actions, given as YAML, to a document. Returns the document and the problems as `pointer code message`. */
function apply(document: string, actions: string, { limits = defaultLimits, query = createQueryNodes() } = {}) {
  const { overlay, findings } = parseOverlay('overlay.yaml', {
    overlay: '1.1.0',
    info: { title: 'O', version: '1' },
    actions: load(actions),
  })
  const before = load(document)
  const original = JSON.stringify(before)
  const applied = applyOverlays(before, overlay ? [overlay] : [], { path: 'api.yaml', query, limits })
  expect(JSON.stringify(before)).toBe(original)
  const problems = [...findings, ...applied.findings].map(({ code, pointer, message }) => `${pointer} ${code} ${message}`)
  return { value: applied.value, problems, findOrigin: applied.findOrigin }
}

test.each<[name: string, document: string, actions: string, expected: string]>([
  ['merges mappings', '{a: {b: 1, c: {d: 2}}}', '[{target: $.a, update: {c: {e: 3}}}]', '{a: {b: 1, c: {d: 2, e: 3}}}'],
  ['replaces primitives inside mappings', '{a: {b: 1}}', '[{target: $.a, update: {b: x}}]', '{a: {b: x}}'],
  ['replaces selected primitives', '{a: {b: 1}}', '[{target: $.a.b, update: null}]', '{a: {b: null}}'],
  ['concatenates lists inside mappings', '{a: {b: [1]}}', '[{target: $.a, update: {b: [2, 3]}}]', '{a: {b: [1, 2, 3]}}'],
  ['concatenates a list with a selected list', '{a: [1]}', '[{target: $.a, update: [2]}]', '{a: [1, 2]}'],
  ['appends a mapping to a selected list', '{a: [1]}', '[{target: $.a, update: {b: 2}}]', '{a: [1, {b: 2}]}'],
  ['appends a primitive to a selected list', '{a: []}', '[{target: $.a, update: x}]', '{a: [x]}'],
  ['updates the root', '{a: 1}', '[{target: $, update: {b: 2}}]', '{a: 1, b: 2}'],
  ['updates all selected values', '{a: {x: {}, y: {}}}', '[{target: $.a.*, update: {z: 1}}]', '{a: {x: {z: 1}, y: {z: 1}}}'],
  ['updates a value inside another one', '{a: {a: {}}}', '[{target: $..a, update: {z: 1}}]', '{a: {a: {z: 1}, z: 1}}'],
  ['removes keys', '{a: {b: 1, c: 2}}', '[{target: $.a.b, remove: true}]', '{a: {c: 2}}'],
  ['removes several entries of a list', '{a: [1, 2, 3, 1]}', '[{target: "$.a[?@ == 1]", remove: true}]', '{a: [2, 3]}'],
  ['removes a value and its parent', '{a: {a: 1}, b: 1}', '[{target: $..a, remove: true}]', '{b: 1}'],
  ['ignores an update next to `remove: true`', '{a: 1}', '[{target: $.a, remove: true, update: 2}]', '{}'],
  ['copies a mapping into another', '{a: {x: 1}, b: {y: 2}}', '[{target: $.b, copy: $.a}]', '{a: {x: 1}, b: {y: 2, x: 1}}'],
  ['copies entries of a list', '{a: [1], b: [2]}', '[{target: $.b, copy: $.a}]', '{a: [1], b: [2, 1]}'],
  ['copies the root as it was', '{a: {}}', '[{target: $.a, copy: $}]', '{a: {a: {}}}'],
  [
    'moves a value in three actions',
    '{p: {/items: {get: {x: 1}}}}',
    '[{target: $.p, update: {/new: {}}}, {target: "$.p[\'/new\']", copy: "$.p[\'/items\']"}, {target: "$.p[\'/items\']", remove: true}]',
    '{p: {/new: {get: {x: 1}}}}',
  ],
  [
    'changes a copy without its original',
    '{a: {x: {y: 1}}, b: {}}',
    '[{target: $.b, copy: $.a}, {target: $.b.x, update: {y: 2}}]',
    '{a: {x: {y: 1}}, b: {x: {y: 2}}}',
  ],
  [
    'changes one use of a YAML alias without the others',
    '{a: &x {y: 1}, b: *x}',
    '[{target: $.b, update: {y: 2}}]',
    '{a: {y: 1}, b: {y: 2}}',
  ],
  [
    'changes one of two updated values',
    '{a: {}, b: {}}',
    '[{target: $.*, update: {x: {y: 1}}}, {target: $.b.x, update: {y: 2}}]',
    '{a: {x: {y: 1}}, b: {x: {y: 2}}}',
  ],
])('%s', (_, document, actions, expected) => {
  const { value, problems } = apply(document, actions)
  expect([problems, value]).toEqual([[], load(expected)])
})

test('treats `__proto__` as a normal key', () => {
  const { value } = apply('{a: {}}', '[{target: $.a, update: {"__proto__": {polluted: 1}}}]')
  expect(JSON.stringify(value)).toBe('{"a":{"__proto__":{"polluted":1}}}')
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test.each<[actions: string, problem: string]>([
  [
    '[{target: $.nope, remove: true}]',
    '/actions/0/target overlay-unmatched Cannot find a value for `$.nope`: the action changes nothing',
  ],
  [
    '[{target: "$.a[", remove: true}]',
    '/actions/0/target overlay-target Cannot evaluate `$.a[`: it is not a valid JSONPath query',
  ],
  ['[{target: a, remove: true}]', '/actions/0/target overlay-target Cannot evaluate `a`: it is not a valid JSONPath query'],
  ['[{target: $, remove: true}]', '/actions/0/target overlay-conflict Cannot remove `$`, the whole document'],
  ['[{target: $.a, update: x}]', '/actions/0/update overlay-conflict Cannot merge a value (string) into a mapping'],
  ['[{target: $.a, update: {list: {}}}]', '/actions/0/update/list overlay-conflict Cannot merge a mapping into a list'],
  ['[{target: "$.a.list[0]", update: {}}]', '/actions/0/update overlay-conflict Cannot merge a mapping into a value (number)'],
  ['[{target: $.a.*, update: {}}]', '/actions/0/update overlay-conflict Unexpected values of different types for `target`'],
  ['[{target: $.a, copy: $.nope}]', '/actions/0/copy overlay-conflict Unexpected 0 values for `$.nope`'],
  ['[{target: $.a, copy: $.*}]', '/actions/0/copy overlay-conflict Unexpected 2 values for `$.*`'],
  ['[{target: $.a, copy: $.a.list}]', '/actions/0/copy overlay-conflict Cannot merge a list into a mapping'],
  ['[{target: $.a, copy: $, update: {}}]', '/actions/0/copy overlay-conflict Unexpected `update` and `copy` in one action'],
  ['[{target: $.a}]', '/actions/0 overlay-unmatched Missing `update`, `copy` or `remove: true` in the Action Object'],
  ['[{update: {}}]', '/actions/0 missing-field Missing `target` in the Action Object'],
  ['[{target: 1, update: {}}]', '/actions/0/target wrong-type Unexpected number for `target`, expected a string'],
  ['[{target: $.a, updates: {}}]', '/actions/0/updates unknown-field Unexpected field `updates` in the Action Object'],
  ['[x]', '/actions/0 wrong-type Unexpected string in `actions`, expected a mapping (Action Object)'],
  ['[]', '/actions wrong-value Unexpected empty list for `actions`, expected at least one action'],
  ['{}', '/actions wrong-type Unexpected mapping for `actions`, expected a list'],
])('reports %s and changes nothing', (actions, problem) => {
  const { value, problems } = apply('{a: {list: [1], b: {}}, c: 1}', actions)
  expect([problems.length, value]).toEqual([1, load('{a: {list: [1], b: {}}, c: 1}')])
  expect(problems[0]?.startsWith(problem), `${problems[0]}`).toBe(true)
})

test.each([
  [{}, 'not-overlay'],
  [[], 'not-overlay'],
  [{ openapi: '3.1.0', overlay: '1.0.0' }, 'not-overlay'],
  [{ overlay: '1.2.0' }, 'unsupported-version'],
  [{ overlay: 1.1 }, 'unsupported-version'],
  [{ overlay: '1.0.0', actions: [{ target: '$', remove: true }] }, 'missing-field'],
  [{ overlay: '1.0.0', info: { title: 'A' }, actions: [{ target: '$', remove: true }] }, 'missing-field'],
  [{ overlay: '1.0.0', info: { title: 'A', version: '1' } }, 'missing-field'],
  [{ overlay: '1.0.0', info: { title: 'A', version: '1' }, actions: [{ target: '$', copy: '$.a' }] }, 'unknown-field'],
])('rejects the Overlay document %j', (value, code) => {
  expect(parseOverlay('o.yaml', value).findings.map((finding) => finding.code)).toEqual([code])
})

describe('limits', () => {
  const deep = `${'{"a": '.repeat(90)}1${'}'.repeat(90)}`

  test.each(['$..*..*..*..*..zz', '$..[?count(@..*..*..*) < 1]', "$..[?search(@.x, '(a+)+$')]"])(
    'stops the query %s',
    (query) => {
      const document = query.includes('search') ? `{a: {x: ${'a'.repeat(40)}!}}` : deep
      const { problems } = apply(document, JSON.stringify([{ target: query, remove: true }]), { query: createQueryNodes(100) })
      expect(problems).toEqual([expect.stringMatching(/^\/actions\/0\/target overlay-target .*: it takes too long$/)])
    },
  )

  test('stops copies that double the document each time', () => {
    const actions = Array.from({ length: 60 }, (_, index) => [
      { target: '$', update: { [`x${index}`]: {} } },
      { target: `$.x${index}`, copy: '$' },
    ])
    const { problems } = apply('{a: {}}', JSON.stringify(actions.flat()), {
      limits: capLimits({ ...defaultLimits.values, 'alias-nodes': 10_000 }),
    })
    expect(problems[0]).toMatch(/too-complex Cannot apply the action: overlays can add at most 10000 values/)
  })
})

describe('positions', () => {
  const files: { readonly [path: string]: string } = {
    'api.yaml': `openapi: 3.1.0
info: {title: A, version: '1'}
tags: [{name: a}, {name: b}, {nam: c}]
paths:
  /a:
    get:
      responses: {'200': {descripton: typo}}
`,
    'o.yaml': `overlay: 1.1.0
info: {title: O, version: '1'}
actions:
  - target: $.tags[0]
    remove: true
  - target: $.paths
    update:
      /b:
        get:
          responses: {'200': {descr: typo}}
      /c: {}
  - target: $.paths['/c']
    copy: $.paths['/b']
  - target: $.paths['/c'].get
    update: {responses: {'200': {descr: again}}}
`,
  }
  const loadDocument: LoadDocument = async (path) => {
    const text = files[path]
    if (text === undefined) return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    return { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  }

  async function check(paths: readonly string[]) {
    const { findings, sources } = await checkDescription('api.yaml', loadDocument, {
      overlays: { paths, query: createQueryNodes() },
    })
    const diagnostics = await finishDiagnostics(findings, (file) => sources.get(file))
    return diagnostics.map(({ code, file, range, pointer }) => {
      return `${file}:${range.start.line}:${range.start.column} ${code} ${pointer}`
    })
  }

  test('are those of the document or of the overlay that has the value', async () => {
    const lines = await check(['o.yaml'])
    expect(lines.filter((line) => line.includes('unknown-field'))).toEqual([
      // An entry after a removed one.
      'api.yaml:3:31 unknown-field /tags/2/nam',
      'api.yaml:7:27 unknown-field /paths/~1a/get/responses/200/descripton',
      'o.yaml:10:31 unknown-field /actions/1/update/~1b/get/responses/200/descr',
      // Of a copied value, changed by a later action.
      'o.yaml:15:34 unknown-field /actions/3/update/responses/200/descr',
    ])
    expect(lines.filter((line) => line.includes('missing-field'))).toEqual([
      'o.yaml:10:23 missing-field /actions/1/update/~1b/get/responses/200',
      'o.yaml:13:5 missing-field /actions/2/copy',
    ])
  })

  test('of problems of overlays', async () => {
    expect(await check(['gone.yaml', 'api.yaml', 'https://example.com/o.yaml'])).toEqual(
      expect.arrayContaining([
        'gone.yaml:1:1 file-missing ',
        'api.yaml:1:1 not-overlay ',
        'https://example.com/o.yaml:1:1 file-missing ',
      ]),
    )
  })
})
