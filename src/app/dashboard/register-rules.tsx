import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Static, Type } from 'typebox'
import { Problem } from '../http/problem-details.ts'
import { mayDo } from '../people/people.ts'
import { sendDashboardPage } from './dashboard-page.tsx'
import { OrganizationList, RulesContent, toRulesPath } from './rules-page.tsx'
import { type Scorecard, toCsv, toScorecard } from './scorecard.ts'
import { listProjects, setPersonalHeaders, type Visit } from './visit.ts'

const rowsPerPage = 50
const trendMs = 30 * 24 * 3_600_000

const RulesQuery = Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })) })

type OwnerRequest = FastifyRequest<{ Params: { readonly owner: string }; Querystring: Static<typeof RulesQuery> }>

/** `/rules`: the scorecards of organizations. Each person sees the repositories that they may read. */
export function registerRules(pages: FastifyInstance, openVisit: (request: FastifyRequest) => Promise<Visit>): void {
  pages.get('/rules', async (request, reply) => {
    const visit = await openVisit(request)
    const counts = new Map<string, number>()
    for (const { owner } of await listProjects(visit)) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const [only, ...others] = counts.keys()
    if (only !== undefined && others.length === 0) return reply.redirect(toRulesPath(only), 303)
    return sendDashboardPage(reply, { ...frame(visit), title: 'Rules', content: <OrganizationList counts={counts} /> })
  })

  pages.get('/rules/:owner', { schema: { querystring: RulesQuery } }, async (request: OwnerRequest, reply) => {
    const visit = await openVisit(request)
    const { owner, scorecard, projectCount } = await readScorecard(visit, request.params.owner)
    const pageCount = Math.max(1, Math.ceil(scorecard.rows.length / rowsPerPage))
    const page = Math.min(request.query.page ?? 1, pageCount)
    const { ruleset } = scorecard
    const content: ComponentChildren = (
      <RulesContent
        visit={visit}
        owner={owner}
        path={visit.context.config.organizationRuleset}
        scorecard={scorecard}
        rows={scorecard.rows.slice((page - 1) * rowsPerPage, page * rowsPerPage)}
        projectCount={projectCount}
        seesRuleset={ruleset !== undefined && (!ruleset.isPrivate || mayDo(visit.access, ruleset, 'read'))}
        page={page}
        pages={pageCount}
      />
    )
    return sendDashboardPage(reply, { ...frame(visit), title: `Rules of ${owner}`, content })
  })

  pages.get('/rules/:owner/scorecard.csv', async (request: OwnerRequest, reply) => {
    const { owner, scorecard } = await readScorecard(await openVisit(request), request.params.owner)
    setPersonalHeaders(reply)
    return reply
      .header('Content-Disposition', `attachment; filename="scorecard-${owner.replace(/[^\w.-]/g, '_')}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(toCsv(scorecard))
  })
}

function frame(visit: Visit) {
  return { visit, section: undefined, aside: undefined }
}

/** @throws {Problem} `not-found` if the person may read no repository of the owner. */
async function readScorecard(
  visit: Visit,
  named: string,
): Promise<{ readonly owner: string; readonly scorecard: Scorecard; readonly projectCount: number }> {
  const projects = (await listProjects(visit)).filter(({ owner }) => owner.toLowerCase() === named.toLowerCase())
  const owner = projects[0]?.owner
  if (owner === undefined) throw new Problem('not-found')
  const before = new Date(visit.now.getTime() - trendMs).toISOString().slice(0, 10)
  const ids = projects.map(({ id }) => id)
  const counts = await visit.context.store.ruleCounts.list(ids, before)
  return { owner, scorecard: toScorecard(projects, counts), projectCount: projects.length }
}
