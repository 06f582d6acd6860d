/** Names that a service on the same domain needs itself, or that would let a site pass for it. */
const reserved = [
  'account',
  'admin',
  'administrator',
  'api',
  'app',
  'assets',
  'auth',
  'autoconfig',
  'autodiscover',
  'billing',
  'cdn',
  'dashboard',
  'docs',
  'ftp',
  'help',
  'hostmaster',
  'imap',
  'localhost',
  'login',
  'mail',
  'mta-sts',
  'ns1',
  'ns2',
  'pop',
  'postmaster',
  'preview',
  'root',
  'security',
  'smtp',
  'sso',
  'static',
  'status',
  'support',
  'webmaster',
  'wpad',
  'www',
  // With the `--` of a preview behind it browsers read it as a name of another script.
  'xn',
]

/** Most characters: with `--` and 12 digits of a commit, or `--pr-` and 9 digits, it is still a DNS label of 63. */
const maxLength = 49

/**
 * Whether a text may be a project's subdomain: a DNS label (RFC 1035: `a-z`, `0-9`, `-`, no `-` at an end) of at most 49 characters,
 * without
 * the `--` that stands before the name of a preview (and in names of other scripts: `xn--…`), and not reserved.
 */
export function isSubdomain(text: string): boolean {
  return (
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text) && text.length <= maxLength && !text.includes('--') && !reserved.includes(text)
  )
}

/**
 * The subdomain a new project gets: `acme-api`, for a docs root below the repository `acme-api-docs`.
 *
 * @param attempt 1 for the first choice; 2, 3, … append the number, for when the label is taken.
 */
export function toSubdomain(
  project: { readonly owner: string; readonly repo: string; readonly root: string },
  attempt = 1,
): string {
  const words = [project.owner, project.repo, project.root].join('-').toLowerCase()
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
