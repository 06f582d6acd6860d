import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { endUpdate, startPeopleApp, toSha } from '../app/support/people-app.ts'
import { readParcelVersions } from '../app/support/sample-changes.ts'
import { failedReport } from '../app/support/sample-report.ts'
import type { Engine } from './engines.ts'
import { makeHistory } from './git-history.ts'
import { runBin } from './run-bin.ts'
import { serveSite } from './serve-site.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** One state of a page. */
export interface View {
  readonly name: string
  readonly url: string
  /** An expression that brings the page into the state, or whose promise waits for it. */
  readonly prepare?: string
}

const docs = join(import.meta.dirname, '../fixtures/visual/docs')

/** In expressions for pages: calls a function until it returns something, and returns that. */
export const until = `(async (find) => {
  for (let left = 1000; ; left--) {
    const found = find()
    if (found) return found
    if (left === 0) throw new Error('not found: ' + find + ', but ' + document.activeElement.outerHTML.slice(0, 80) + ' has focus')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})`
const untilShown = (selector: string) => `${until}(() => document.querySelector(${JSON.stringify(selector)})?.checkVisibility())`

/** Opens the search with a click, types a word, and waits for results. */
const search = `(async () => {
  document.querySelector('[data-open=search]').click()
  await ${untilShown('dialog.search input')}
  const input = document.querySelector('dialog.search input')
  input.value = 'shipment'
  input.dispatchEvent(new Event('input', { bubbles: true }))
  await ${untilShown('.search [role=option] mark')}
})()`

/** Opens the drawer, or on wide screens a menu of the header. */
const navigation = `(() => {
  const drawer = document.querySelector('.drawer > summary')
  const menus = [...document.querySelectorAll('.switch > summary')]
  const opened = drawer.checkVisibility() ? drawer : menus.filter((menu) => menu.checkVisibility()).at(-1)
  opened.click()
})()`

const playground = `(async () => {
  document.querySelector('[data-open=playground]').click()
  const isReady = () => document.activeElement.matches('dialog .form[aria-busy=false] .in') && !document.querySelector('dialog .loading')
  await ${until}(isReady)
  // The window of Firefox is not in front, so that its field with the focus looks like the others.
  document.activeElement.blur()
  await ${until}(() => ![...document.querySelectorAll('.acts:not(.shown)')].some((acts) => acts.checkVisibility()))
})()`

/** Builds sites and fills a dashboard. Returns their views. All ends with the running test. */
export async function serveViews(): Promise<readonly View[]> {
  const folder = makeTemporaryFolder()
  const build = async (source: string, name: string) => {
    const { stderr, code } = await runBin(['build', source, '-o', join(folder, name), '--quiet'], { cwd: folder })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const { server, origin } = await serveSite(join(folder, name), '/')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return origin
  }
  const site = await build(docs, 'docs')
  const versions = await build(commitVersions(join(folder, 'repository')), 'versions')
  const create = `${site}/api-reference/shipments/create-a-shipment/`
  return [
    { name: 'operation', url: create },
    { name: 'responses', url: `${site}/api-reference/shipments/get-a-shipment/` },
    { name: 'schema', url: `${site}/api/shipment/` },
    { name: 'guide', url: `${site}/guides/components/` },
    { name: 'start', url: `${versions}/` },
    { name: 'long name', url: `${versions}/schemas/newshipmentdetailsrequest/` },
    { name: 'not found', url: `${site}/guides/quikstart/`, prepare: untilShown('.nearest li') },
    { name: 'changelog', url: `${versions}/changelog/` },
    { name: 'search', url: `${site}/guides/quickstart/`, prepare: search },
    { name: 'navigation', url: `${site}/guides/wide/`, prepare: navigation },
    { name: 'playground', url: create, prepare: playground },
    ...(await serveDashboard()),
  ]
}

/** Commits and tags two versions of the Parcel API, in which a schema has a long name. Returns the path of the document. */
function commitVersions(repository: string): string {
  const { base, revision } = readParcelVersions()
  const withLongName = (text: string) => text.replaceAll('NewShipment', 'NewShipmentDetailsRequest')
  mkdirSync(repository)
  const history = makeHistory(repository)
  history.commit({ 'openapi-pages.config.yaml': 'changes: { changelog: tags }\n', 'parcel.yaml': withLongName(base) })
  history.tag('v2.1.0')
  history.commit({ 'parcel.yaml': withLongName(revision) })
  history.tag('v3.0.0')
  return join(repository, 'parcel.yaml')
}

async function serveDashboard(): Promise<readonly View[]> {
  const now = () => new Date('2026-11-18T07:00:00Z')
  const { addRepository, store, base, visitorOf } = await startPeopleApp({ now })
  const { project } = await addRepository('octo/tracker-docs', { octocat: 'admin', amelie: 'write' }, { private: true })
  const { project: billing } = await addRepository('octo/billing', { octocat: 'admin' })
  const site = { 'index.html': 'a' }
  await endUpdate(store, billing, { sha: toSha('1'), message: 'Start', site })
  const summary = 'Failed: 2 errors in `openapi.yaml` (first error at 214:21: reference-unresolved).'
  const { _id: id } = await endUpdate(store, project, { sha: toSha('5'), status: 'failure', summary, report: failedReport, site })
  const { cookies } = await visitorOf('octocat')
  const jar = [...(cookies.get(new URL(base).host) ?? [])]
  // Pages of other servers on this host ignore the cookies.
  const prepare = jar.map(([name, value]) => `document.cookie = ${JSON.stringify(`${name}=${value}; path=/`)}`).join(', ')
  return [
    { name: 'sign-in', url: `${base}/sign-in`, prepare },
    { name: 'dashboard', url: `${base}/projects` },
    { name: 'record', url: `${base}/projects/${project.id}/updates/${id}` },
    { name: 'settings', url: `${base}/projects/${project.id}/settings` },
  ]
}

/** Brings an engine to a view. */
export async function openView(engine: Engine, { url, prepare }: View, width: number): Promise<void> {
  await engine.open(url, width, width === 390 ? 844 : 900)
  await engine.evaluate(`${until}(() => document.readyState === 'complete')`)
  if (prepare) await engine.evaluate(prepare)
  const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))'
  await engine.evaluate(`document.fonts.ready.then(() => ${nextFrame}).then(() => ${nextFrame})`)
}
