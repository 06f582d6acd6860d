import { load } from 'js-yaml'
import type { PageSubjectRef } from '../../../src/site/plan/types.ts'
import { groupBy } from '../../../src/text/plain/lists.ts'
import { type Expectation, listFacts, toJson } from '../../support/list-facts.ts'
import { findDeadLinks, provePages } from '../../support/prove-pages.ts'
import { proveRequests } from '../../support/prove-request.ts'
import { siteOfDocument } from './site-of.ts'

/** The site of a document, in memory. */
export interface DocumentSite {
  readonly document: unknown
  readonly text: string
  readonly files: ReadonlyMap<string, string>
  /** The route of a page of `Expectation`. */
  readonly routeOf: (page: string) => string | undefined
}

export async function buildDocument(name: string, text: string): Promise<DocumentSite> {
  const document: unknown = name.endsWith('.json') ? JSON.parse(text) : load(text)
  const { files, readPlan } = await siteOfDocument(name, text)
  const routes = new Map<string, string>()
  for (const { route, subject } of (await readPlan())?.pages ?? []) {
    const page = namePage(subject)
    if (page !== undefined && !routes.has(page)) routes.set(page, route)
  }
  return { document, text, files: new Map(Object.entries(files)), routeOf: (page) => routes.get(page) }
}

/** The name of a page in `Expectation`. */
function namePage(subject: PageSubjectRef): string | undefined {
  if (subject.kind === 'description') return 'api'
  if (subject.kind === 'operation') return `operation ${subject.target}`
  return 'name' in subject ? `${subject.kind} ${subject.name}` : undefined
}

/** Proves a site with its document. All proofs are comparisons of the finished files with the document itself. */
export function prove({ document, text, files, routeOf }: DocumentSite): { readonly faults: string[]; readonly counts: string } {
  const whole = toJson(document)
  const proofs = {
    ...provePages(listWrittenFacts(document, text), files, routeOf),
    links: findDeadLinks(files, text, new Set(Object.keys(toJson(toJson(whole['components'])['schemas'])))),
    ...proveRequests(whole, files, routeOf),
  }
  const all = Object.entries(proofs)
  return {
    faults: all.flatMap(([proof, { faults }]) => faults.map((fault) => `${proof}: ${fault}`)),
    counts: all.map(([proof, { faults, count }]) => `${proof} ${faults.length} of ${count}`).join(', '),
  }
}

/** The facts of a document, with integers above 2^53 as its text has them. */
function listWrittenFacts(document: unknown, text: string): readonly Expectation[] {
  const written = groupBy(text.match(/(?<![\w.+-])-?\d{16,}(?![\w.])/g) ?? [], Number)
  const toWritten = (shown: string) => (/^-?\d{16,}$/.test(shown) ? (written.get(Number(shown)) ?? [shown]) : [shown])
  return listFacts(document).map((expectation) => ({
    ...expectation,
    facts: expectation.facts.map((fact) => ({ ...fact, shown: fact.shown.flatMap(toWritten) })),
  }))
}
