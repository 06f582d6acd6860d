import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { planOpenApiFile } from '../../../src/docs/pages/plan-openapi-file.ts'
import { describeOpenApi } from '../../support/describe-openapi.ts'

const head = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\n'
const fine = 'responses: {"200": {description: Fine}}'

async function plan(text: string, outDir = '', schemas = false) {
  return planOpenApiFile(await describeOpenApi(head + text), { outDir, schemas })
}

describe('names', () => {
  test('follow tags, summaries, method order and first use of groups', async () => {
    const { files, navigation } = await plan(
      `tags: [{name: B, x-group: The Bs}, {name: A b}]
paths:
  /users: {patch: {tags: [A b], ${fine}}, get: {tags: [A b, x], summary: List all users, ${fine}}}
  /b: {get: {tags: [B], summary: "Get bill: 100%?", ${fine}}}
  "/c/{id}": {get: {${fine}}}
`,
      'Out/Dir',
    )
    expect(files.map(({ path }) => path)).toEqual([
      'out/dir/a-b/list-all-users.mdx',
      'out/dir/a-b/patch-users.mdx',
      'out/dir/b/get-bill-100.mdx',
      'out/dir/get-c.mdx',
    ])
    expect(navigation).toEqual([
      { group: 'A b', pages: ['out/dir/a-b/list-all-users', 'out/dir/a-b/patch-users'] },
      { group: 'The Bs', pages: ['out/dir/b/get-bill-100'] },
      { group: 'API Reference', pages: ['out/dir/get-c'] },
    ])
  })

  test('are unique across groups, documents and case', async () => {
    const { files } = await plan(
      `paths:
  /a: {get: {tags: [A.B], summary: Same, ${fine}}, put: {tags: [AB], summary: SAME, ${fine}}, post: {tags: [AB], summary: Same, ${fine}}}
  /users: {get: {${fine}}}
  "/users/{id}": {get: {${fine}}}
`,
    )
    expect(files.map(({ path }) => path)).toEqual([
      'ab/same.mdx',
      'ab/same-1.mdx',
      'ab/same-2.mdx',
      'get-users.mdx',
      'get-users-1.mdx',
    ])
  })

  test('use the directory name if the summary has no usable characters', async () => {
    const { files } = await plan(`paths: {/a: {get: {tags: [A/B c], summary: (), ${fine}}, put: {summary: (), ${fine}}}}\n`)
    expect(files.map(({ path }) => path)).toEqual(['ab-c.mdx', 'put-a.mdx'])
  })

  test('are valid and unique on Windows', async () => {
    const long = 'a'.repeat(300)
    const { files } = await plan(`paths:
  /a: {get: {summary: "register: a ship", ${fine}}, put: {summary: con, ${fine}}, post: {summary: "???", ${fine}}}
  /b: {get: {tags: [AUX], summary: 'a*b"c|d<e>f%g#h\\\\i', ${fine}}, put: {tags: ["nul: x"], summary: COM1, ${fine}}}
  /c: {get: {summary: ${long}, ${fine}}, put: {summary: ${long}b, ${fine}}}
  /d: {get: {summary: "Caf\u00e9", ${fine}}, put: {summary: "CAFE\u0301", ${fine}}}
  /e: {get: {x-mint: {href: "/Docs/What: now?/Con"}, ${fine}}, put: {x-mint: {href: /.git/hooks}, ${fine}}}
`)
    const paths = files.map(({ path }) => path)
    expect(paths.filter((path) => !path.startsWith('aaa'))).toEqual([
      'register-a-ship.mdx',
      'con-.mdx',
      'post-a.mdx',
      'aux-/abcdefghi.mdx',
      'nul-x/com1-.mdx',
      'caf\u00e9.mdx',
      'caf\u00e9-1.mdx',
      'docs/what now/con-.mdx',
      'put-e.mdx',
    ])
    const names = paths.filter((path) => path.startsWith('aaa'))
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(204)
  })

  test('are not used by hidden and excluded operations', async () => {
    const { files, navigation } = await plan(
      `paths: {/a: {get: {summary: X, x-hidden: "no", ${fine}}, put: {summary: X, x-excluded: true, ${fine}}, post: {summary: X, x-hidden: null, ${fine}}}}\n`,
    )
    expect(files).toEqual([{ path: 'x.mdx', content: '---\nopenapi: post /a\n---' }])
    expect(navigation).toEqual([{ group: 'API Reference', pages: ['x'] }])
  })

  test('keep parent and absolute directories', async () => {
    const text = `paths: {/a: {get: {summary: X, ${fine}}}}\n`
    expect((await plan(text, '../docs/')).files[0]?.path).toBe('../docs/x.mdx')
    expect((await plan(text, '/srv/docs')).files[0]?.path).toBe('/srv/docs/x.mdx')
    expect((await plan(text, '.')).files[0]?.path).toBe('x.mdx')
  })

  test('follow `href` relative to the working directory, but never above it', async () => {
    const { files, navigation, findings } = await plan(
      `paths: {/a: {get: {tags: [T], summary: A, x-mint: {href: /Custom/Place/my-page}, ${fine}}, put: {summary: B, x-mint: {href: ../up}, ${fine}}}}\n`,
      'out',
    )
    expect(files.map(({ path }) => path)).toEqual(['custom/place/my-page.mdx', 'out/b.mdx'])
    expect(navigation[0]).toEqual({ group: 'T', pages: ['custom/place/my-page'] })
    expect(findings).toMatchObject([{ code: 'page-href', pointer: '/paths/~1a/put/x-mint/href' }])
  })
})

describe('content', () => {
  test('has no title, a lowercase method and no final newline', async () => {
    const { files } = await plan(`paths: {"/users/{userId}": {get: {summary: X, deprecated: true, ${fine}}}}\n`)
    expect(files[0]?.content).toBe('---\nopenapi: get /users/{userId}\ndeprecated: true\n---')
  })

  test('has one page for all methods of a webhook', async () => {
    const { files } = await plan(`webhooks: {plantAdded: {post: {${fine}}, put: {${fine}}}}\n`)
    expect(files).toEqual([{ path: 'plantadded.mdx', content: '---\nopenapi: webhook plantAdded\n---' }])
  })

  test('includes metadata and content from `x-mint`', async () => {
    const { files } = await plan(
      `paths: {/a: {get: {summary: X, deprecated: true, x-mint: {metadata: {icon: star, version: v2, deprecated: false, openapi: no, title: "It's fine"}, content: "## More\\n"}, ${fine}}}}\n`,
    )
    expect(files[0]?.content).toBe(
      "---\nopenapi: get /a\nversion: v2\ndeprecated: false\nicon: star\ntitle: It's fine\n---\n\n## More\n",
    )
  })

  test.each([
    'Custom: "Title"',
    '# not a comment',
    'a #b',
    "it's",
    '[x',
    '{x}',
    '- x',
    '*alias',
    'trailing ',
    'two\nlines',
    '@at',
    '"quoted"',
    '%percent',
    '',
  ])('keeps the title %j', async (title) => {
    const { files } = await plan(
      `paths: {/a: {get: {summary: X, x-mint: {metadata: {title: ${JSON.stringify(title)}}}, ${fine}}}}\n`,
    )
    const yaml = files[0]?.content.split('---')[1] ?? ''
    expect(load(yaml)).toEqual({ openapi: 'get /a', title })
  })

  test('includes groups of path item and operation', async () => {
    const { files } = await plan(
      `paths: {/a: {x-mint: {groups: [beta, 5]}, get: {summary: X, x-mint: {groups: [vip, beta]}, ${fine}}, put: {summary: Y, ${fine}}}}\n`,
    )
    expect(files.map(({ content }) => content)).toEqual([
      '---\nopenapi: get /a\ngroups:\n  - beta\n  - vip\n---',
      '---\nopenapi: put /a\ngroups:\n  - beta\n---',
    ])
  })

  test('has no page for a hidden webhook', async () => {
    expect(
      (await plan(`webhooks: {a: {x-hidden: true, post: {${fine}}}, b: {x-excluded: true, post: {${fine}}}}\n`)).files,
    ).toEqual([])
  })

  test('has YAML lists and objects, and quotes a webhook name with a colon', async () => {
    const { files } = await plan(
      `webhooks: {"order: new": {post: {x-mint: {metadata: {list: [a, b], object: {a: 1}}}, ${fine}}}}\n`,
    )
    expect(load(files[0]?.content.split('---')[1] ?? '')).toEqual({
      openapi: 'webhook order: new',
      list: ['a', 'b'],
      object: { a: 1 },
    })
  })
})

test('reports and omits metadata that is nested too deep', async () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  const { files, findings } = await plan(
    `paths: {/a: {get: {x-mint: {metadata: {title: T, deep: ${deep}}, content: Kept}, ${fine}}, put: {x-mint: {metadata: {deep: ${'['.repeat(99)}${']'.repeat(99)}}}, ${fine}}}}`,
  )
  expect(files[0]?.content).toBe('---\nopenapi: get /a\n---\n\nKept')
  expect(files[1]?.content).toContain('deep:')
  expect(findings).toMatchObject([{ code: 'too-complex', severity: 'warning', pointer: '/paths/~1a/get/x-mint/metadata' }])
})
