import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../http/problem-details.ts'
import { Ago, Heading, IsolatedText, OptionalLink } from '../pages/elements.tsx'
import { isAdministrator, mayDo } from '../people/people.ts'
import { readServerStatus } from './server-status.ts'
import { sendDashboardPage } from './side-bar.tsx'
import { toProjectPath, type Visit } from './visit.ts'

/** `/server`: the state of the server, for people who administer one of its projects. It tells about their projects only. */
export function registerServerPage(pages: FastifyInstance, openVisit: (request: FastifyRequest) => Promise<Visit>): void {
  pages.get('/server', async (request, reply) => {
    const visit = await openVisit(request)
    const { access, context, now } = visit
    if (!isAdministrator(access)) throw new Problem('forbidden')
    const sections = await readServerStatus(context, context.github.app, (project) => mayDo(access, project, 'admin'))
    const content = (
      <>
        <h1>Server</h1>
        <p class="lead">The work for the projects that you administer, with the time of the oldest.</p>
        {sections.map(({ id, label, empty, items }) => (
          <section>
            <Heading id={id} label={label} />
            {items.length === 0 && <p class="empty">{empty}</p>}
            <ul class="list plain-list">
              {items.map(({ title, note, since, projectId }) => (
                <li>
                  <span>
                    <OptionalLink href={projectId ? toProjectPath({ id: projectId }) : undefined}>
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
