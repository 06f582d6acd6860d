import { canDeliver } from '../setup/manifest.ts'
import type { SitesPlace } from '../sites/sites-domain.ts'

/** What a person who started the server does next, as text for the terminal. */
export function toNextSteps({
  setup,
  baseUrl,
  githubUrl,
  place,
}: {
  /** The setup page with its key, or the file that has its URL, while there is no GitHub App. */
  readonly setup: { readonly url: string } | { readonly path: string } | undefined
  readonly baseUrl: string
  readonly githubUrl: string
  readonly place: SitesPlace | undefined
}): string {
  const isDeaf = !canDeliver(githubUrl, baseUrl)
  const sites = place
    ? `${place.protocol}//<owner>-<repository>.${place.domain}${place.port}/`
    : 'none are hosted: set SITES_DOMAIN to a domain for them, or to `localhost` to see them on this machine only'
  const lines = [
    ...(isDeaf
      ? [
          `${githubUrl} cannot deliver pushes to ${baseUrl}: start again with BASE_URL set to the address that this`,
          'server has on the internet, or to that of a tunnel to it.',
          '',
        ]
      : []),
    ...(setup === undefined
      ? []
      : [
          'url' in setup ? 'No GitHub App yet. Set it up here:' : 'No GitHub App yet. The URL of the setup page is in this file:',
          '',
          `  ${'url' in setup ? setup.url : setup.path}`,
          '',
          'Then install it on a repository and push to it.',
          '',
        ]),
    `  projects  ${baseUrl}/projects`,
    `  sites     ${sites}`,
  ]
  return `\n${lines.join('\n')}\n`
}
