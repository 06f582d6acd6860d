import type { ComponentChildren } from 'preact'
import type { Project } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { Icon } from '../pages/elements.tsx'
import { toUpdatePath } from './visit.ts'

const hostingGuide = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/hosting.md'

interface FirstStepsProps {
  /** Absent until the app is installed on a repository of the user. */
  readonly start?: ProjectStart | undefined
}

/** What the app knows about a project without a site. */
interface ProjectStart {
  readonly project: Project
  /** The newest update of the default branch. */
  readonly latest: StoredUpdate | undefined
  /** Paths or URLs of the OpenAPI documents that it checked. */
  readonly documents: readonly string[]
}

/** The three steps from no repository to a site, each with its state. */
export function FirstSteps({ start }: FirstStepsProps) {
  const hasConfig = start?.project.hasDocsConfig === true
  return (
    <ol class="steps" aria-label="Steps to a site">
      <Step number={1} state={start ? 'done' : 'now'} title="Install the app on a repository">
        {start
          ? `The app reads ${start.project.owner}/${start.project.repo}.`
          : 'GitHub asks which repositories the app may read.'}
      </Step>
      <Step
        number={2}
        state={hasConfig ? 'done' : start ? 'now' : 'later'}
        title={
          <>
            Add a <code>docs.json</code>
          </>
        }
      >
        <ConfigStep start={start} />
      </Step>
      <Step number={3} state={hasConfig ? 'now' : 'later'} title="Push for the first site">
        {start && hasConfig ? (
          <SiteStep start={start} />
        ) : (
          'Each push gets a check and a preview. The default branch becomes the site.'
        )}
      </Step>
    </ol>
  )
}

const states = {
  done: { label: 'Done', icon: 'success', mark: 'success' },
  now: { label: 'Now', icon: 'current', mark: 'info' },
  later: { label: 'Later', icon: 'queued', mark: 'todo' },
} as const

interface StepProps {
  readonly number: number
  readonly state: keyof typeof states
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}

function Step({ number, state, title, children }: StepProps) {
  const { label, icon, mark } = states[state]
  return (
    <li class={`is-${mark}`} aria-current={state === 'now' ? 'step' : undefined}>
      <Icon name={icon} />
      {number}. {label}
      <b>{title}</b>
      <span>{children}</span>
    </li>
  )
}

function ConfigStep({ start }: Pick<FirstStepsProps, 'start'>) {
  if (start?.project.hasDocsConfig) return 'It names the pages and OpenAPI documents of the site.'
  const [first] = start?.documents ?? []
  return (
    <>
      {first !== undefined && (
        <>
          The app already checks <code>{first}</code>.{' '}
        </>
      )}
      It names your OpenAPI document and makes the repository a site: <a href={hostingGuide}>how sites work</a>.
    </>
  )
}

/** The site follows from the newest update of the default branch. */
function SiteStep({ start: { project, latest } }: { readonly start: ProjectStart }) {
  if (!latest)
    return (
      <>
        Waiting for a push to <bdi>{project.defaultBranch}</bdi>.
      </>
    )
  const update = <a href={toUpdatePath(latest)}>last update</a>
  switch (latest.update.status) {
    case 'queued':
      return <>The {update} waits in the queue.</>
    case 'in_progress':
      return <>The {update} is running.</>
    case 'failure':
      return <>The {update} failed. Fix its problems and push again.</>
    case 'success':
      return <>The {update} built no site. Its logs say why.</>
  }
}
