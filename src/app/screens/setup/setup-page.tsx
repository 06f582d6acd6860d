import { encodeUrlPart } from '../../../text/plain/paths.ts'
import type { Credentials } from '../../base/config/app-config.ts'
import { appPermissions, canDeliver, permissionReasons, toManifest } from '../../base/manifest.ts'
import { LinkButton, Submit } from '../pages/elements.tsx'
import { renderPlainPage } from '../pages/layout.tsx'

interface SetupPageOptions {
  readonly baseUrl: string
  readonly githubUrl: string
  readonly key: string
  /** The organization that will own the app; `''` for the user's own account. */
  readonly owner: string
  /** Whether other organizations use the app too. */
  readonly isShared: boolean
  readonly state: string
  /** Where the keys will be stored. */
  readonly place: 'database' | 'data directory'
}

/** The page that creates the GitHub App. It works without JavaScript. */
export function renderSetupPage({ baseUrl, githubUrl, key, owner, isShared, state, place }: SetupPageOptions): string {
  const target = owner ? `${githubUrl}/organizations/${encodeUrlPart(owner)}/settings/apps/new` : `${githubUrl}/settings/apps/new`
  return renderPlainPage({
    title: 'Set up',
    heading: 'Connect to GitHub',
    lead: `Create a GitHub App that belongs to you. Its keys are stored only in the ${place} of this server.`,
    children: (
      <>
        {canDeliver(githubUrl, baseUrl) ? (
          <CreateForm target={target} baseUrl={baseUrl} state={state} owner={owner} isShared={isShared} />
        ) : (
          <UnreachableNote baseUrl={baseUrl} />
        )}
        <form class="field" method="get" action="/setup">
          <input type="hidden" name="key" value={key} />
          <label for="owner">
            Organization that will own the app (leave empty for your own account)
            <input id="owner" name="owner" value={owner} maxLength={39} pattern="[A-Za-z0-9][A-Za-z0-9\-]*" autocomplete="off" />
          </label>
          <label for="accounts">
            Who can install it
            <select id="accounts" name="accounts">
              <option value="one">Only the owner</option>
              <option value="several" selected={isShared}>
                Several organizations
              </option>
            </select>
          </label>
          <Submit>Apply</Submit>
        </form>
        <h2>Permissions</h2>
        <table>
          <tbody>
            {Object.entries(permissionReasons).map(([name, reason]) => (
              <PermissionRow name={name} reason={reason} />
            ))}
          </tbody>
        </table>
        <p class="empty">The app reads repositories and writes checks. It does not push: the Action commits pages.</p>
      </>
    ),
  })
}

interface CreateFormProps extends Pick<SetupPageOptions, 'baseUrl' | 'owner' | 'isShared' | 'state'> {
  /** The page of GitHub that creates the app. */
  readonly target: string
}

function CreateForm({ target, baseUrl, state, owner, isShared }: CreateFormProps) {
  return (
    <form method="post" action={`${target}?state=${encodeUrlPart(state)}`}>
      <input type="hidden" name="manifest" value={JSON.stringify(toManifest(baseUrl, isShared))} />
      <Submit kind="main">{owner ? `Create the GitHub App for ${owner}` : 'Create the GitHub App'}</Submit>
    </form>
  )
}

function UnreachableNote({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <p class="note is-warning">
      GitHub cannot deliver webhooks to <code>{baseUrl}</code>. Set <code>BASE_URL</code> to the public URL of this server, such
      as <code>https://pages.example.com</code>, or to the URL of a tunnel. Then restart the server.
    </p>
  )
}

function PermissionRow({ name, reason }: { readonly name: string; readonly reason: string }) {
  // The reasons have the same keys as the permissions, but `Object.entries` widens them to strings.
  const access = appPermissions[name as keyof typeof appPermissions]
  return (
    <tr>
      <th scope="row">
        {name.replaceAll('_', ' ')}: {access}
      </th>
      <td>{reason}</td>
    </tr>
  )
}

/** The page on GitHub that installs an app on repositories. */
export function toInstallUrl(appUrl: string): string {
  return `${appUrl}/installations/new`
}

/** Confirms the setup and links to the installation on repositories. */
export function renderCreatedPage({ appUrl }: Credentials, inDatabase: boolean): string {
  return renderPlainPage({
    title: 'Connected',
    heading: 'GitHub App created',
    lead: 'The server is connected to GitHub. Install the app on a repository, then push to it to get its first update and site.',
    children: (
      <>
        {appUrl !== undefined && /^https?:\/\//.test(appUrl) && (
          <p>
            <LinkButton href={toInstallUrl(appUrl)} kind="main">
              Install the app on a repository
            </LinkButton>
          </p>
        )}
        <p>
          Then open <a href="/projects">your projects</a> and sign in with GitHub.
        </p>
        <p class="empty">
          Back up the {inDatabase ? 'database' : 'data directory'}. The keys are in {inDatabase ? 'the table ' : ''}
          <code>{inDatabase ? 'secrets' : 'github-app.json'}</code>, and GitHub does not show them again.
        </p>
      </>
    ),
  })
}

/** Shown if GitHub did not return the keys. */
export function renderSetupFailurePage(reason: string, again: string): string {
  return renderPlainPage({
    title: 'Not connected',
    heading: 'Could not connect to GitHub',
    lead: `${reason}.`,
    children: (
      <p>
        <LinkButton href={again} kind="main">
          Start again
        </LinkButton>
      </p>
    ),
  })
}
