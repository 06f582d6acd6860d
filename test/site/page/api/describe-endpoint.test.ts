import { expect, test } from 'vitest'
import { checkDescription } from '../../../../src/checks/check-description.ts'
import { siteOf } from '../../make/site-of.ts'

/** The OpenAPI document of a page, and what is wrong with it. */
async function sliceOf(page: string) {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Own', navigation: { pages: ['page'] } }),
    'page.mdx': page,
  })
  const text = files['page.openapi.json'] ?? ''
  const { findings } = await checkDescription('a.json', async () => ({ kind: 'loaded', bytes: new TextEncoder().encode(text) }))
  return { slice: JSON.parse(text), findings: findings.map(({ message }) => message) }
}

test.each(['__proto__', '"><script>', 'a\u0000b', '{', 'constructor'])(
  'treats a field called %j as a plain name',
  async (name) => {
    const { slice, findings } = await sliceOf(
      `---\ntitle: A\napi: POST /a\n---\n\n<ParamField query={${JSON.stringify(name)}} type={${JSON.stringify(name)}} />\n<ParamField body={${JSON.stringify(name)}} type="constructor" />\n`,
    )
    expect(findings).toEqual([])
    expect(slice.paths['/a'].post.parameters[0]?.name).toBe(name)
  },
)
