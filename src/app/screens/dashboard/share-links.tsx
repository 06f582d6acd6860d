import { formatCount } from '../../../diagnostics/diagnostic.ts'
import type { Project } from '../../../status/update-record.ts'
import type { StoredToken } from '../../../store/records/stored-records.ts'
import { Fold, Icon, LinkButton, Submit } from '../pages/elements.tsx'
import { formatDate } from '../pages/formats.ts'
import { ActionForm } from '../pages/forms.tsx'
import { ProjectCrumbs } from './side-bar.tsx'
import { toProjectPath } from './visit.ts'

/** Lifetimes of share links, in days. */
export const linkDays = [1, 7, 30] as const

/** Creates and revokes links for people without access to the repository. */
export function ShareForm({ project, links }: { readonly project: Project; readonly links: readonly StoredToken[] }) {
  return (
    <Fold name="share" label="Share with people who cannot read the repository">
      <form class="field" method="post" action={`${toProjectPath(project)}/link`}>
        <label for="days">
          Expires in
          <select id="days" name="days">
            {linkDays.map((days) => (
              <option value={days} selected={days === 7}>
                {formatCount(days, 'day')}
              </option>
            ))}
          </select>
        </label>
        <Submit>Create link</Submit>
      </form>
      {links.length > 0 && (
        <ul class="list" aria-label="Active links">
          {links.map((link) => (
            <LinkItem project={project} link={link} />
          ))}
        </ul>
      )}
    </Fold>
  )
}

function LinkItem({ project, link }: { readonly project: Project; readonly link: StoredToken }) {
  const { id, grant, name, createdAt, expiresAt } = link
  return (
    <li>
      <Icon name="external" />
      <span>
        {grant.scope === 'link' && grant.host}
        <small>
          {name} on {formatDate(createdAt)}
        </small>
      </span>
      <time class="when numeric" dateTime={expiresAt}>
        expires {formatDate(expiresAt)}
      </time>
      <span class="action">
        <ActionForm
          action={`${toProjectPath(project)}/links/${id}/revoke`}
          label="Revoke"
          of={`the link that expires ${formatDate(expiresAt)}. ${name}`}
        />
      </span>
    </li>
  )
}

/** Shows a new link. It is not shown again. */
export function LinkContent({ project, url, until }: { readonly project: Project; readonly url: string; readonly until: Date }) {
  return (
    <>
      <ProjectCrumbs project={project} />
      <h1>Share link</h1>
      <p class="lead">
        Anyone with this link can read the site until {formatDate(until.toISOString())}. Copy it now, because it is not shown
        again. You can revoke it on the project page.
      </p>
      <div class="field">
        <label for="link">
          Link
          <input id="link" value={url} readOnly class="mono" />
        </label>
        <LinkButton href={url}>Open</LinkButton>
      </div>
    </>
  )
}
