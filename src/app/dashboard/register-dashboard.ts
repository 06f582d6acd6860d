import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { RateLimits } from '../http/callers.ts'
import { type People, SignedOut } from '../people/people.ts'
import { acceptForms } from '../people/require-own-page.ts'
import { homePath } from '../people/return-path.ts'
import { registerActions } from './register-actions.ts'
import { registerLists } from './register-lists.ts'
import { registerProject } from './register-project.ts'
import { registerSiteEntry } from './register-site-entry.ts'
import { startVisit } from './start-visit.ts'

/** `/projects` and `/updates`: what people see who signed in, and the forms that they send. */
export async function registerDashboard(
  server: FastifyInstance,
  context: AppContext,
  { people, limits }: { people: People; limits: RateLimits },
): Promise<void> {
  await server.register(async (pages) => {
    acceptForms(pages)
    pages.addHook('onRequest', (request) => limits.countAddress(request))
    pages.setErrorHandler(async (error, request, reply) => {
      if (!(error instanceof SignedOut)) throw error
      const to = request.method === 'GET' ? request.url : homePath
      return reply.redirect(`/sign-in?to=${encodeURIComponent(to)}`, 303)
    })
    const visit = (request: FastifyRequest) => startVisit(context, people, request)
    pages.get('/', (_request, reply) => reply.redirect(homePath, 303))
    registerLists(pages, context, visit)
    registerProject(pages, context, visit)
    registerActions(pages, context, visit)
    registerSiteEntry(pages, context, visit)
  })
}
