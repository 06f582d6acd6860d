/** Where GitHub delivers webhooks to, below the address of the server. */
export const webhookPath = '/api/github/webhooks'

/** Where GitHub sends a person back to after a sign-in, below the address of the server. */
export const signInCallbackPath = '/sign-in/callback'

/**
 * What the GitHub App may do. `contents` is read only: generating pages into a repository is the Action's work, and an owner who
 * wants the app's button "Regenerate" grants `write` on the page of the app.
 */
export const appPermissions = {
  checks: 'write',
  contents: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
} as const

/** The events that the app subscribes to. GitHub sends events about installations in any case. */
export const appEvents = ['check_run', 'check_suite', 'merge_group', 'pull_request', 'push', 'repository'] as const

/** What each permission is for, in the words of the setup page. */
export const permissionReasons: Readonly<Record<keyof typeof appPermissions, string>> = {
  checks: 'one check on each commit, with the findings at their lines',
  contents: 'reads the documents and pages of the commit',
  merge_queues: 'answers for required checks in a merge queue',
  metadata: 'asked for by GitHub of every app',
  pull_requests: 'one comment, only when a document is not valid',
  statuses: 'a commit status where checks cannot be written',
}

/** The manifest that GitHub makes an app from. Source: GitHub, "Registering a GitHub App from a manifest". */
export function toManifest(baseUrl: string): object {
  return {
    name: 'openapi-pages',
    description: 'Checks OpenAPI documents and their pages on every push',
    url: 'https://github.com/openapi-pages/openapi-pages',
    hook_attributes: { url: `${baseUrl}${webhookPath}`, active: true },
    redirect_url: `${baseUrl}/setup/created`,
    callback_urls: [`${baseUrl}${signInCallbackPath}`],
    setup_url: `${baseUrl}/projects`,
    public: false,
    default_permissions: appPermissions,
    default_events: appEvents,
  }
}

/** Whether a GitHub can deliver webhooks to an address: that of the internet refuses one that is on no public network. */
export function canDeliver(githubUrl: string, baseUrl: string): boolean {
  return isPublic(baseUrl) || !isPublic(githubUrl)
}

function isPublic(address: string): boolean {
  const { hostname } = new URL(address)
  return !/^(localhost|.*\.local(host)?|127\..*|\[::1\]|0\.0\.0\.0|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/i.test(
    hostname,
  )
}
