import { readOwn } from '../../text/json/json-values.ts'

/** Path of the webhook URL. */
export const webhookPath = '/api/github/webhooks'

/** Path of the OAuth callback URL. */
export const signInCallbackPath = '/sign-in/callback'

/**
 * Permissions of the GitHub App. `contents` is read-only because the Action commits pages. To enable the buttons "Regenerate" and "Accept
 * changes", an owner grants `contents: write` in the settings of the app.
 */
export const appPermissions = {
  checks: 'write',
  contents: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
} as const

/** The events that the app subscribes to. GitHub always sends installation events. */
export const appEvents = ['check_run', 'check_suite', 'merge_group', 'pull_request', 'push', 'repository'] as const

/** The purpose of each permission, as shown on the setup page. */
export const permissionReasons: Readonly<Record<keyof typeof appPermissions, string>> = {
  checks: 'Creates a check on each commit, with annotations on the affected lines',
  contents: 'Reads the documents and pages of a commit',
  merge_queues: 'Reports required checks in a merge queue',
  metadata: 'Required by GitHub for every app',
  pull_requests: 'Comments on a pull request if a document is invalid',
  statuses: 'Sets a commit status if checks cannot be written',
}

/** What is missing of the permissions of the GitHub App: `checks: write`. */
export function listLackingPermissions(granted: Readonly<Record<string, string>>): readonly string[] {
  const isGranted = (wanted: string, given: string | undefined) => given === wanted || (wanted === 'read' && given === 'write')
  return Object.entries(appPermissions).flatMap(([name, wanted]) =>
    isGranted(wanted, readOwn(granted, name)) ? [] : [`${name}: ${wanted}`],
  )
}

/**
 * The manifest of the GitHub App. Source: GitHub, "Registering a GitHub App from a manifest".
 *
 * @param isPublic Whether other accounts than its owner can install it.
 */
export function toManifest(baseUrl: string, isPublic: boolean): object {
  return {
    name: 'openapi-pages',
    description: 'Checks OpenAPI documents and their pages on every push',
    url: 'https://github.com/openapi-pages/openapi-pages',
    hook_attributes: { url: `${baseUrl}${webhookPath}`, active: true },
    redirect_url: `${baseUrl}/setup/created`,
    callback_urls: [`${baseUrl}${signInCallbackPath}`],
    setup_url: `${baseUrl}/projects`,
    public: isPublic,
    default_permissions: appPermissions,
    default_events: appEvents,
  }
}

/** Whether GitHub can deliver webhooks to a URL. github.com rejects URLs on private networks. */
export function canDeliver(githubUrl: string, baseUrl: string): boolean {
  return isPublic(baseUrl) || !isPublic(githubUrl)
}

function isPublic(address: string): boolean {
  const { hostname } = new URL(address)
  return !/^(localhost|.*\.local(host)?|127\..*|\[::1\]|0\.0\.0\.0|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/i.test(
    hostname,
  )
}
