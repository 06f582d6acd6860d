import type { Project } from './update-record.ts'

/** Names that a service on the same domain needs, or that could impersonate it. */
const reserved: readonly string[] = [
  ...['account', 'admin', 'administrator', 'api', 'app', 'assets', 'auth', 'autoconfig', 'autodiscover', 'billing'],
  ...['cdn', 'dashboard', 'docs', 'ftp', 'help', 'hostmaster', 'imap', 'localhost', 'login', 'mail', 'mta-sts'],
  ...['ns1', 'ns2', 'pop', 'postmaster', 'preview', 'root', 'security', 'smtp', 'sso', 'static', 'status', 'support'],
  ...['webmaster', 'wpad', 'www'],
  // Followed by the `--` of a preview, it would be read as a punycode name.
  'xn',
]

/**
 * Maximum length. With `--` and 12 digits of a commit, or `--pr-` and 9 digits, a name still fits the 63 characters of a DNS
 * label.
 */
const maxLength = 49

/**
 * Whether a string is a valid project subdomain: a DNS label (RFC 1035: `a-z`, `0-9`, `-`, no `-` at either end) of at most 49
 * characters that is not reserved. It cannot contain `--`, which separates the name of a preview and begins punycode (`xn--…`).
 */
export function isSubdomain(text: string): boolean {
  return (
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text) && text.length <= maxLength && !text.includes('--') && !reserved.includes(text)
  )
}

/**
 * The default subdomain of a new project: `acme-api` for the repository `acme/api`, `acme-api-docs` for its docs directory
 * `docs`.
 *
 * @param attempt 1 for the first choice. 2, 3, … append the number, for when the label is taken.
 */
export function toSubdomain({ owner, repo, root }: Pick<Project, 'owner' | 'repo' | 'root'>, attempt = 1): string {
  const words = [owner, repo, root].join('-').toLowerCase()
  const suffix = attempt === 1 ? '' : `-${attempt}`
  // Runs of `-` become one, which also rules out `xn--`.
  const label = words
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength - suffix.length)
    .replace(/-$/, '')
  const subdomain = `${label || 'project'}${suffix}`
  return reserved.includes(subdomain) ? `project-${subdomain}` : subdomain
}
