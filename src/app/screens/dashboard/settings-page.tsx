import type { ComponentChildren } from 'preact'
import type { Collaborator } from '../../../github/apps/users.ts'
import type { Project } from '../../../status/update-record.ts'
import type { DeletedProject } from '../../../store/records/stored-records.ts'
import type { SiteDomain } from '../../../store/sites/stored-sites.ts'
import { isObject } from '../../../text/json/json-values.ts'
import { toProjectName } from '../../base/projects.ts'
import type { QuotaUse } from '../../base/quotas.ts'
import { Breadcrumb, DescriptionList, LinkButton, OptionalLink, Submit } from '../pages/elements.tsx'
import { formatDay, hostOf } from '../pages/formats.ts'
import { ActionForm, Choice, SubmitLine, TextField } from '../pages/forms.tsx'
import { toFileLinks } from '../pages/update-links.ts'
import { DomainSection } from './domain-section.tsx'
import { ProjectCrumbs } from './side-bar.tsx'
import { toProjectPath, type Visit } from './visit.ts'

export interface SettingsPageProps {
  readonly visit: Visit
  readonly project: Project
  /** The submitted values, or those of the project. */
  readonly values: Pick<Project, 'subdomain' | 'enabled' | 'siteAccess' | 'issuers'>
  /** Why a submitted value was rejected. */
  readonly mistake:
    | {
        readonly subdomain?: string
        readonly confirm?: string
        readonly domain?: string
        readonly dns?: string
        readonly previews?: PreviewMistake
      }
    | undefined
  readonly notice: ComponentChildren
  /** Quota usage of the installation; empty if there is no installation. */
  readonly quotas: readonly QuotaUse[]
  readonly domain: SiteDomain | undefined
  readonly configFile: ConfigFile | undefined | 'unreachable'
  readonly members: readonly Collaborator[] | 'unreachable'
  /** The people who are signed in and have an audience. */
  readonly readers: readonly { readonly login: string; readonly issuer: string; readonly audience: string }[]
}

/** The submitted limits of previews, and why they were rejected. */
interface PreviewMistake {
  readonly values: { readonly maxPreviews: string; readonly previewDays: string }
  readonly maxPreviews?: string | undefined
  readonly previewDays?: string | undefined
}

/** The configuration file on the default branch. */
export interface ConfigFile {
  /** Relative to the repository. */
  readonly path: string
  /** Untrusted. */
  readonly value: unknown
}

export function SettingsContent(props: SettingsPageProps) {
  const { visit, project, domain, mistake, notice, quotas } = props
  return (
    <>
      <ProjectCrumbs project={project} />
      <h1>Settings</h1>
      {notice}
      <SiteForm {...props} />
      <DomainSection visit={visit} project={project} domain={domain} mistake={mistake} />
      <ConfigSection {...props} />
      <PreviewSection {...props} />
      <MembersSection {...props} />
      {quotas.length > 0 && <QuotaList quotas={quotas} />}
      <DangerZone {...props} />
    </>
  )
}

function SiteForm({ visit, project, values, mistake }: SettingsPageProps) {
  const path = toProjectPath(project)
  const url = visit.siteUrl({ subdomain: project.subdomain })
  const hint = `${url ? `The site is at ${hostOf(url)}. ` : ''}If you change the subdomain, the old URL stops working.`
  return (
    <form class="settings" method="post" action={`${path}/settings`}>
      <TextField name="subdomain" label="Subdomain" value={values.subdomain} hint={hint} mistake={mistake?.subdomain} />
      {project.private && (
        <fieldset>
          <legend>Who can read the site</legend>
          <Choice
            name="siteAccess"
            value="repository"
            isChosen={values.siteAccess === 'repository'}
            label="People who can read the repository"
            note="They sign in with GitHub."
          />
          <Choice
            name="siteAccess"
            value="public"
            isChosen={values.siteAccess === 'public'}
            label="Everyone"
            note="Includes previews of branches and pull requests."
          />
        </fieldset>
      )}
      <IssuerChoice visit={visit} project={project} values={values} />
      <fieldset>
        <legend>Updates</legend>
        <Choice name="enabled" value="yes" isChosen={values.enabled} label="On" note="Check every push and build its site." />
        <Choice
          name="enabled"
          value="no"
          isChosen={!values.enabled}
          label="Off"
          note="Ignore pushes. The published site stays online."
        />
      </fieldset>
      <p class="acts">
        <Submit kind="main">Save</Submit>
        <LinkButton href={path}>Cancel</LinkButton>
      </p>
    </form>
  )
}

/** The issuers of the server. Their people read the site if they have an audience. */
function IssuerChoice({ visit: { context }, project, values }: Pick<SettingsPageProps, 'visit' | 'project' | 'values'>) {
  const { oidcIssuers = [] } = context.config
  const { audiences = [], defaultBranch } = project
  if (oidcIssuers.length === 0) return null
  return (
    <fieldset>
      <legend>Who else can sign in to read the site</legend>
      {oidcIssuers.map(({ name }) => (
        <Choice
          type="checkbox"
          name={`issuer-${name}`}
          value="yes"
          isChosen={values.issuers?.includes(name) === true}
          label={`People of ${name}`}
          note="Those who have a group of an audience."
        />
      ))}
      <p class="hint">
        {audiences.length === 0 ? (
          <>
            {defaultBranch} has no <code>site.audiences</code> yet, so these people can read nothing more.
          </>
        ) : (
          `Audiences on ${defaultBranch}: ${audiences.map(({ name, groups }) => `${name} (${groups.join(', ')})`).join('; ')}.`
        )}
      </p>
    </fieldset>
  )
}

const shownSettings = 100

/** Every setting in the configuration file, with its value and a link to the file. */
function ConfigSection({ visit: { context }, project, configFile }: SettingsPageProps) {
  const { owner, repo, defaultBranch } = project
  const links = toFileLinks(`${context.config.githubUrl}/${owner}/${repo}`, defaultBranch)
  const rows = configFile === undefined || configFile === 'unreachable' ? [] : listSettings(configFile.value)
  return (
    <section data-part="config">
      <h2>Configuration file</h2>
      {configFile === 'unreachable' ? (
        <p class="empty">{unreachable}</p>
      ) : configFile === undefined ? (
        <p class="empty">
          {defaultBranch} has no <code>openapi-pages.config.yaml</code>, so every setting has its default.
        </p>
      ) : (
        <>
          <p class="hint">
            These settings come from <OptionalLink href={links.file(configFile.path)}>{configFile.path}</OptionalLink> on{' '}
            {defaultBranch}. Change them there. All other settings have their defaults.
          </p>
          <DescriptionList
            class="values"
            rows={rows.slice(0, shownSettings).map(([name, value]) => [<code>{name}</code>, <bdi class="mono">{value}</bdi>])}
          />
          {rows.length > shownSettings && <p class="empty">… and {rows.length - shownSettings} more</p>}
        </>
      )}
    </section>
  )
}

/** Flattens the mappings of a file to two levels: `github.check` and its value as JSON. */
function listSettings(value: unknown): readonly (readonly [name: string, value: string])[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, own]) =>
    isObject(own)
      ? Object.entries(own).map(([name, inner]) => [`${key}.${name}`.slice(0, 100), toText(inner)] as const)
      : [[key.slice(0, 100), toText(own)] as const],
  )
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Previews and retention. The server limits what a project may set. */
function PreviewSection({ visit: { context }, project, mistake }: SettingsPageProps) {
  const { maxPreviews, previewDays } = project
  const [count, days] = [limitOf(context.config.sitePreviews, maxPreviews), limitOf(context.config.sitePreviewDays, previewDays)]
  const wrong = mistake?.previews
  const values = wrong?.values ?? { maxPreviews: toField(maxPreviews), previewDays: toField(previewDays) }
  const rule = 'Leave it empty to use the limit of the server.'
  return (
    <section data-part="previews">
      <h2>Previews and retention</h2>
      <DescriptionList
        class="values"
        rows={[
          ['Previews kept', `${count.value === 0 ? 'None' : toNumber(count.value)} (${toSource(count, 'SITE_PREVIEWS')})`],
          ['Deleted after', `${toNumber(days.value)} days (${toSource(days, 'SITE_PREVIEW_DAYS')}). The published site is kept`],
          ['Deleted projects', 'Can be restored for 30 days'],
        ]}
      />
      {context.config.sitePreviews === 0 ? (
        <p class="hint">The operator of this server has turned previews off.</p>
      ) : (
        <form class="settings" method="post" action={`${toProjectPath(project)}/previews`}>
          <TextField
            name="maxPreviews"
            label="Number of previews"
            value={values.maxPreviews}
            hint={`From 0, which turns previews off, to ${toNumber(context.config.sitePreviews)}. Earlier versions of the site count too. ${rule}`}
            mistake={wrong?.maxPreviews}
            isNumber
          />
          <TextField
            name="previewDays"
            label="Days to keep a preview"
            value={values.previewDays}
            hint={`From 1 to ${toNumber(context.config.sitePreviewDays)}. ${rule}`}
            mistake={wrong?.previewDays}
            isNumber
          />
          <SubmitLine label="Save previews" />
        </form>
      )}
    </section>
  )
}

interface Limit {
  readonly value: number
  readonly source: 'server' | 'project' | 'capped'
  readonly server: number
}

/** The limit that applies. The server may have lowered its limit since the project set its own. */
function limitOf(server: number, own: number | undefined): Limit {
  const source = own === undefined ? 'server' : own > server ? 'capped' : 'project'
  return { value: Math.min(server, own ?? server), source, server }
}

function toSource({ source, server }: Limit, setting: string): string {
  if (source === 'project') return `set for this project, the server allows ${toNumber(server)}`
  return source === 'server' ? `set by the server, ${setting}` : `limited by the server, ${setting}`
}

function toField(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

function toNumber(value: number): string {
  return value.toLocaleString('en-US')
}

const may = {
  read: 'can see the site and its updates',
  write: 'can publish, run updates again, approve previews and share links',
  admin: 'can change these settings and delete the project',
} as const

function MembersSection({ visit: { context }, project, members, readers }: SettingsPageProps) {
  const { owner, repo } = project
  const levels = ['admin', 'write', 'read'] as const
  return (
    <section data-part="members">
      <h2>Members</h2>
      <p class="hint">
        Everyone with access to the repository is a member.{' '}
        <a href={`${context.config.githubUrl}/${owner}/${repo}/settings/access`}>Change access on GitHub</a>.
      </p>
      {members === 'unreachable' ? (
        <p class="empty">{unreachable}</p>
      ) : (
        <DescriptionList
          class="values"
          rows={levels.flatMap((level) =>
            members
              .filter((member) => member.level === level)
              .map(({ login, role }) => [<bdi>{login}</bdi>, `${role}: ${may[level]}`] as const),
          )}
        />
      )}
      {members !== 'unreachable' && members.length === 100 && <p class="empty">The first 100 are shown.</p>}
      {readers.length > 0 && <p class="hint">Signed in, with what they read:</p>}
      <DescriptionList
        class="values"
        rows={readers.map(({ login, issuer, audience }) => [<bdi>{login}</bdi>, `${audience}, by ${issuer}`])}
      />
    </section>
  )
}

const unreachable = 'GitHub did not respond. Reload the page in a moment.'

function DangerZone({ project, mistake }: SettingsPageProps) {
  const name = toProjectName(project)
  return (
    <section class="danger">
      <h2>Delete the project</h2>
      <p class="hint">
        The site goes offline at once, and pushes are ignored. Nothing changes on GitHub. An admin can{' '}
        <a href="/projects/deleted">restore the project</a> for 30 days.
      </p>
      <form class="settings" method="post" action={`${toProjectPath(project)}/delete`}>
        <TextField name="confirm" label="Name of the project" value="" hint={`Enter ${name}.`} mistake={mistake?.confirm} />
        <SubmitLine label="Delete the project" kind="danger" />
      </form>
    </section>
  )
}

function QuotaList({ quotas }: { readonly quotas: readonly QuotaUse[] }) {
  return (
    <section data-part="quotas">
      <h2>Quotas of this installation</h2>
      <p class="hint">Shared by all projects of this installation of the GitHub App.</p>
      <DescriptionList
        class="values"
        rows={quotas.map(({ name, text, exceeded }) => [
          name,
          <>
            {text}
            {exceeded !== undefined && <p class="mistake">Quota exceeded. {exceeded}</p>}
          </>,
        ])}
      />
    </section>
  )
}

/** The page with the deleted projects that the user may restore. */
export function DeletedProjects({ projects }: { readonly projects: readonly DeletedProject[] }) {
  return (
    <>
      <Breadcrumb items={[<a href="/projects">Projects</a>]} />
      <h1>Deleted projects</h1>
      <p class="lead">
        A deleted project keeps its site, records and tokens for 30 days. Its site is private after a restore until GitHub
        confirms that the repository is public.
      </p>
      {projects.length === 0 ? (
        <p class="empty">No deleted projects.</p>
      ) : (
        <ul class="list plain-list">
          {projects.map((project) => (
            <li>
              <span>
                {toProjectName(project)}
                <small>
                  Deleted on {formatDay(project.deletedAt)}
                  {project.removedBy === undefined ? ' with its repository' : ` by ${project.removedBy.replace(/^github:/, '')}`}
                </small>
              </span>
              <span class="action">
                <ActionForm action={`${toProjectPath(project)}/restore`} label="Restore" of={toProjectName(project)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
