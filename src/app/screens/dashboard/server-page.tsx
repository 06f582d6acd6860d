import type { FastifyInstance } from 'fastify'
import type { Project } from '../../../status/update-record.ts'
import { Problem } from '../../http/problem-details.ts'
import { Ago, Heading, IsolatedText, OptionalLink } from '../pages/elements.tsx'
import { isAdministrator, mayDo } from '../people/people.ts'
import { readServerStatus } from './server-status.ts'
import { sendDashboardPage } from './side-bar.tsx'
import { listProjects, type OpenVisit, toProjectPath } from './visit.ts'

/** `/server`: the whole state of the server for its operators, and that of their own projects for people who administer one. */
export function registerServerPage(pages: FastifyInstance, openVisit: OpenVisit): void {
  pages.get('/server', async (request, reply) => {
    const visit = await openVisit(request)
    const { access, context, now } = visit
    if (!isAdministrator(access)) throw new Problem('forbidden')
    const { isOperator, installations } = access
    const own = { mayRead: (project: Project) => mayDo(access, project, 'admin'), installations }
    const sections = await readServerStatus(context, context.github.app, isOperator ? 'everything' : own)
    const readable = new Set((await listProjects(visit)).map(({ id }) => id))
    const content = (
      <>
        <h1>Server</h1>
        <p class="lead">
          {isOperator ? 'All work of the server' : 'The work for the projects that you administer'}, with the time of the oldest.
        </p>
        {sections.map(({ id, label, empty, items }) => (
          <section>
            <Heading id={id} label={label} />
            {items.length === 0 && <p class="empty">{empty}</p>}
            <ul class="list plain-list">
              {items.map(({ title, note, since, projectId }) => (
                <li>
                  <span>
                    <OptionalLink
                      href={projectId !== undefined && readable.has(projectId) ? toProjectPath({ id: projectId }) : undefined}
                    >
                      <IsolatedText text={title} />
                    </OptionalLink>
                    <small>
                      <IsolatedText text={note} />
                    </small>
                  </span>
                  {since !== undefined && <Ago time={since} now={now} />}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    )
    return sendDashboardPage(reply, { visit, title: 'Server', section: 'server', aside: undefined, content })
  })
}
