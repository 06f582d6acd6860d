import { formatCount } from '../../diagnostics/diagnostic.ts'
import { encodeFilePath } from '../../source/escape-text.ts'
import type { Project } from '../../status/types.ts'
import type { FeedbackOfWeek } from '../../store/feedback-store.ts'
import { Heading, OptionalLink, Pager } from '../pages/elements.tsx'
import { formatDay } from '../pages/formats.ts'
import { ProjectCrumbs } from './project-lists.tsx'
import { toProjectPath, toVisitUrl } from './visit.ts'

interface FeedbackContentProps {
  readonly project: Project
  /** Of the production site; `undefined` if this server hosts no sites. */
  readonly siteUrl: string | undefined
  /** The Monday of the shown week; `undefined` if there is no feedback. */
  readonly week: string | undefined
  readonly content: FeedbackOfWeek | undefined
  /** The position of the week, from 1, and the number of weeks. */
  readonly page: number
  readonly pages: number
}

/** The page with the answers of readers and their searches without results, one week at a time. */
export function FeedbackContent({ project, siteUrl, week, content, page, pages }: FeedbackContentProps) {
  return (
    <>
      <ProjectCrumbs project={project} />
      <h1>Feedback</h1>
      {week === undefined || !content ? (
        <EmptyState />
      ) : (
        <>
          <p class="lead">Week from {formatDay(week)}</p>
          <section data-part="answers">
            <Heading id="answers" label="Was this page helpful?" count={content.pages.length} />
            {content.pages.length === 0 && <p class="empty">No answers in this week.</p>}
            <ul class="list plain-list">
              {content.pages.map((answers) => (
                <PageItem
                  {...answers}
                  href={siteUrl && toVisitUrl(project, new URL(encodeFilePath(answers.page), siteUrl).href)}
                />
              ))}
            </ul>
          </section>
          <section data-part="searches">
            <Heading id="searches" label="Searches without results" count={content.searches.length} />
            {content.searches.length === 0 && <p class="empty">No searches without results in this week.</p>}
            <ul class="list plain-list">
              {content.searches.map(({ query, count }) => (
                <li>
                  <bdi>{query}</bdi>
                  <span class="tag numeric">{formatCount(count, 'time')}</span>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
      <Pager path={`${toProjectPath(project)}/feedback`} page={page} pages={pages} />
    </>
  )
}

function PageItem({ page, yes, no, comments, href }: FeedbackOfWeek['pages'][number] & { readonly href: string | undefined }) {
  return (
    <li>
      <span>
        <OptionalLink href={href}>
          <bdi>{page}</bdi>
        </OptionalLink>
      </span>
      <span class="tags">
        <span class={yes > 0 ? 'tag is-success' : 'tag'}>{yes.toLocaleString('en-US')} yes</span>
        <span class={no > 0 ? 'tag is-failure' : 'tag'}>{no.toLocaleString('en-US')} no</span>
      </span>
      {comments.length > 0 && (
        <div class="comments">
          {comments.map(({ answer, comment }) => (
            <p class="message">
              {answer === 'yes' ? 'Yes' : 'No'}: <bdi>{comment}</bdi>
            </p>
          ))}
        </div>
      )}
    </li>
  )
}

function EmptyState() {
  return (
    <p class="empty">
      No feedback yet. To ask readers “Was this page helpful?”, and to see what they search for without results, add{' '}
      <code>site: &#123; feedback: app &#125;</code> to <code>openapi-pages.config.yaml</code> on the default branch. The answers
      of each week are here for 12 months.
    </p>
  )
}
