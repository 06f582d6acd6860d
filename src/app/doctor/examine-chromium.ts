import { join } from 'node:path'
import type { AppConfig } from '../config.ts'
import { chromiumFolder, findChromium } from '../pictures/find-chromium.ts'
import { createPictureTaker } from '../pictures/picture-taker.ts'
import { findSitesPlace } from '../sites/sites-domain.ts'
import type { Examination } from './examine.ts'

const url = 'http://doctor.invalid/'

/** Whether pictures of sites can be taken: takes one. Sites are hosted without them as well. */
export async function examineChromium(config: AppConfig): Promise<readonly Examination[]> {
  if (!findSitesPlace(config.sitesDomain, config.baseUrl ?? `http://localhost:${config.port}`, config.port)) return []
  const place = findChromium(config)
  if (place.kind === 'off') return [{ state: 'well', message: 'No pictures of sites are taken: they are switched off' }]
  if (place.kind === 'unusable') {
    return [{ state: 'warning', message: `No pictures of sites are taken: ${place.reason}`, fix: place.fix }]
  }
  const timeMs = config.pictureTimeoutSeconds * 1000
  const taker = createPictureTaker(place, timeMs, join(config.dataDir, chromiumFolder))
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<title>Doctor</title>') }
  try {
    await taker.take({ url, answer: async (asked) => (asked === url ? page : undefined) }, AbortSignal.timeout(2 * timeMs))
    const guard = place.isSandboxed ? 'in its sandbox' : 'without its sandbox'
    return [{ state: 'well', message: `${place.path} takes pictures of sites, ${guard}` }]
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return [
      {
        state: 'warning',
        message: `${place.path} takes no pictures of sites: ${reason}`,
        fix: place.isSandboxed
          ? 'run it by hand as this user; where the system grants no sandbox (containers), see "Pictures" in docs/hosting.md'
          : 'run it by hand as this user',
      },
    ]
  } finally {
    await taker.stop()
  }
}
