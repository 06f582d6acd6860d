/** Names that a service on the same domain needs itself, or that would let a site pass for it. */
const reserved = [
  'admin',
  'api',
  'app',
  'auth',
  'dashboard',
  'docs',
  'login',
  'mail',
  'ns1',
  'ns2',
  'smtp',
  'static',
  'status',
  'www',
]

/**
 * Whether a text may be a project's subdomain: a DNS label (RFC 1035: 1 to 63 of `a-z`, `0-9`, `-`, no `-` at an end), not of the
 * form that names in other scripts take (`xn--…`), and not reserved.
 */
export function isSubdomain(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && text.slice(2, 4) !== '--' && !reserved.includes(text)
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
    .slice(0, 63 - suffix.length)
    .replace(/-$/, '')
  const subdomain = `${label || 'project'}${suffix}`
  return isSubdomain(subdomain) ? subdomain : `project-${subdomain}`
}
