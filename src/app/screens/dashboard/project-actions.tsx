import type { Project } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import type { SiteBuild } from '../../../store/sites/stored-sites.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { ActionForm } from '../pages/forms.tsx'
import { mayDo } from '../people/people.ts'
import { toProjectPath, toSubject, toUpdatePath, type Visit } from './visit.ts'

interface UpdateActionsProps {
  readonly visit: Visit
  readonly project: Project
  readonly stored: StoredUpdate
  /** Whether the commit has breaking changes that can be accepted with a commit to its branch. */
  readonly canAccept?: boolean
  readonly build: SiteBuild | undefined
}

/** Buttons to publish a commit, re-run a failed update, accept changes or approve a preview. Readers get none. */
export function UpdateActions({ visit, project, stored, canAccept = false, build }: UpdateActionsProps) {
  const { update, details } = stored
  if (update.endedAt === undefined || !mayDo(visit.access, project, 'write')) return null
  const isSite = build?.statusId === update._id && update.commit.ref === `refs/heads/${project.defaultBranch}`
  const isFailure = update.status === 'failure'
  const path = toUpdatePath(stored)
  const subject = toSubject(stored)
  return (
    <>
      {details.forkPreview === 'waiting' && build === undefined && (
        <ActionForm action={`${path}/approve-preview`} label="Approve preview" of={subject} />
      )}
      {canAccept && <ActionForm action={`${path}/accept-changes`} label="Accept changes" of={subject} />}
      {isFailure && <ActionForm action={`${path}/rerun`} label="Run again" of={subject} icon="retry" />}
      {isSite && !build.isPublished && <PublishForm project={project} sha={update.commit.sha} label="Publish" />}
    </>
  )
}

/** Marks the update whose site is production. */
export function PublishedTag({ stored: { update }, build }: Pick<UpdateActionsProps, 'stored' | 'build'>) {
  if (build?.statusId !== update._id || !build.isPublished) return null
  return <span class={`tag ${update.status === 'failure' ? 'is-warning' : 'is-success'}`}>Published</span>
}

interface PublishFormProps {
  readonly project: Project
  readonly sha: string
  readonly label: 'Publish' | 'Undo'
}

function PublishForm({ project, sha, label }: PublishFormProps) {
  return <ActionForm action={`${toProjectPath(project)}/publish`} fields={{ sha }} label={label} of={sha.slice(0, 7)} />
}

interface NoticeProps {
  readonly project: Project
  /** The `notice` query parameter. */
  readonly name: string | undefined
  /** The previously published commit, for the undo button. */
  readonly before?: string | undefined
}

/** Confirms the last action; nothing for an unknown name. */
export function Notice({ project, name, before }: NoticeProps) {
  const text = name === undefined ? undefined : readOwn(notices, name)
  if (text === undefined) return null
  return (
    <div class={`note ${name === 'unchanged' ? 'is-info' : 'is-success'}`} role="status">
      <span>{text}</span>
      {name === 'published' && before !== undefined && <PublishForm project={project} sha={before} label="Undo" />}
    </div>
  )
}

const notices: Readonly<Record<string, string>> = {
  published: 'Published. Visitors now see this commit.',
  unchanged: 'This commit is already published.',
  'link-revoked': 'Link revoked.',
  saved: 'Settings saved.',
  accepting: 'Accepting the changes. A check of the commit shows the result.',
}
