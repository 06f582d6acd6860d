import { ConfigError } from '../errors.ts'
import type { BuildCommandOptions } from './command-options.ts'

/** Where a site will stand. */
export interface SiteAddress {
  /** The path on its host, beginning and ending in `/`. */
  readonly base: string
  /** The whole address, ending in `/`; absent where nobody told it. */
  readonly url: string | undefined
}

/**
 * Reads `--base` and `--url`; without the one it is the path of the other.
 *
 * @throws {ConfigError} for what is no address, and for two that do not fit.
 */
export function readSiteAddress({ base, url }: Pick<BuildCommandOptions, 'base' | 'url'>): SiteAddress {
  const parsed = url === undefined ? undefined : parseUrl(url)
  if (base !== undefined && !/^[\w./~%@+-]*$/.test(base)) {
    throw new ConfigError(`cannot use ${base} as --base: expected a path such as /docs/`, {
      ...(/^https?:/i.test(base) && { hint: 'Give the whole address with --url.' }),
    })
  }
  const path = base ?? parsed?.pathname ?? '/'
  const steps = path.split('/').filter((step) => step !== '')
  if (steps.some((step) => step === '.' || step === '..')) {
    throw new ConfigError(`cannot use ${path} as --base: unexpected \`.\` or \`..\` in it`)
  }
  const withSlashes = steps.length === 0 ? '/' : `/${steps.join('/')}/`
  if (
    parsed &&
    base !== undefined &&
    parsed.pathname !== '/' &&
    withSlashes !== `${parsed.pathname.replace(/(?<!\/)\/+$/, '')}/`
  ) {
    throw new ConfigError(`cannot use --base ${base} with --url ${url}: the address has another path`, {
      hint: 'Leave --base out: it is the path of --url.',
    })
  }
  return { base: withSlashes, url: parsed && new URL(withSlashes, parsed).href }
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === '' && parsed.username === '')
    return parsed
  throw new ConfigError(`cannot use ${url} as --url: expected an address such as https://example.com/docs/`)
}
