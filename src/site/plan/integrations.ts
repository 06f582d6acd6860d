import { hash } from 'node:crypto'
import table from '../../../texts/integrations.json' with { type: 'json' }
import type { SiteSetting } from '../../docs/config/project-config.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { integrationsPath } from './file-types.ts'
import type { Fields } from './typed-fields.ts'
import type { Integrations } from './types.ts'

/** An entry of `texts/integrations.json`. */
interface Integration {
  /** Patterns of its settings in `docs.json`. */
  readonly values: Readonly<Record<string, string>>
  readonly defaults?: Readonly<Record<string, string>>
  /** The hosts that it needs, by directive of the Content Security Policy. Settings are in braces. */
  readonly sources: Readonly<Record<string, readonly string[]>>
  /** JavaScript that loads it. Settings are variables. */
  readonly start: readonly string[]
}

const known: Readonly<Record<string, Integration>> = table

/** Adds a script to the page. */
const load = `const load = (src) => {
  const script = document.createElement('script')
  script.async = true
  script.src = src
  return document.head.appendChild(script)
}
`

/** Reads `integrations` of `docs.json`. Leaves out those with unexpected values, which `checkSettingKeys` reports. */
export function readIntegrations(
  written: Fields,
  { integrations, scripts }: Pick<SiteSetting, 'integrations' | 'scripts'>,
): Integrations | undefined {
  const names: string[] = []
  const sources = new Map<string, string[]>()
  let content = load
  for (const [name, integration] of integrations ? Object.entries(known) : []) {
    // The owner of a tag manager can add any script.
    const values = name === 'gtm' && !scripts ? undefined : readValues(written.object(name), integration)
    if (!values) continue
    names.push(name)
    content += `;(({ ${Object.keys(values).join(', ')} }) => {\n  ${integration.start.join('\n  ')}\n})(${JSON.stringify(values)})\n`
    for (const [directive, hosts] of Object.entries(integration.sources)) {
      const filled = hosts.map((host) => host.replace(/\{(\w+)\}/g, (_, key: string) => readOwn(values, key) ?? ''))
      getOrMake(sources, directive, () => []).push(...filled)
    }
  }
  if (names.length === 0) return undefined
  const path = `${integrationsPath}${hash('sha256', content).slice(0, 8)}.js`
  return { names, file: { path, content }, sources: Object.fromEntries(sources) }
}

/** The settings of an integration; `undefined` if one is missing or has an unexpected value. */
function readValues(written: Fields, { values, defaults = {} }: Integration): Record<string, string> | undefined {
  const read = Object.entries(values).map(([key, pattern]): [string, string] | undefined => {
    const value = written.text(key) ?? written.flag(key)?.toString() ?? readOwn(defaults, key) ?? ''
    return new RegExp(pattern).test(value) ? [key, value] : undefined
  })
  if (!read.every((one) => one !== undefined)) return undefined
  const found = Object.fromEntries(read)
  // PostHog serves its scripts from a host of their own.
  const { apiHost } = found
  return apiHost === undefined ? found : { ...found, assetHost: apiHost.replace('.i.posthog.com', '-assets.i.posthog.com') }
}
