import { expect, onTestFinished, test } from 'vitest'
import { toSiteUrl } from '../../../src/app/base/sites-domain.ts'
import type { Project, SiteAudience } from '../../../src/status/update-record.ts'
import { hashOf } from '../../store/site-fixture.ts'
import { toSha } from '../../store/store-fixture.ts'
import { runsOr, seed } from '../../support/properties.ts'
import { putSite, type SiteTexts } from '../../support/put-site.ts'
import { enterSite, signInReader } from '../support/readers.ts'
import { askSite } from '../support/sites.ts'
import { addProject, startTestApp } from '../support/test-app.ts'

const steps = runsOr(500, 20_000)

const groups = ['oidc:corp/a', 'oidc:corp/b', 'github:acme/c', 'd', 'e']
/** With `public`, four audiences. */
const names = ['staff', 'partners', 'trial']
const paths = ['index.html', 'guide/index.html', 'guide.md', 'notes.txt', 'openapi.json']

interface Build {
  readonly sha: number
  readonly ofAll: SiteTexts
  readonly others: readonly { readonly audience: SiteAudience; readonly texts: SiteTexts }[]
}

interface Tenant {
  readonly project: Project
  readonly isPublic: boolean
  readonly builds: Build[]
  audiences: readonly SiteAudience[]
  published: Build | undefined
}

interface Reader {
  readonly sessionId: string
  readonly userId: number
  groups: readonly string[]
  /** The passes that are valid, by host. */
  readonly cookies: Map<string, string>
  /** The passes that ended. */
  readonly ended: string[]
}

/** Random numbers with a seed (mulberry32). */
function createRandom(start: number) {
  let state = start >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    pick: <One>(list: readonly One[]): One => {
      const one = list[below(list.length)]
      if (one === undefined) throw new Error('The list is empty')
      return one
    },
    some: <One>(list: readonly One[]): One[] => list.filter(() => next() < 0.4),
  }
}

test(`two projects, four audiences, ${steps} random changes and requests: no reader gets what is for others`, async () => {
  const random = createRandom(seed)
  const limits = { ADDRESS_REQUESTS_PER_MINUTE: '1000000' }
  const app = await startTestApp(onTestFinished, { env: { SITES_DOMAIN: 'sites.test', ...limits } })
  const { store, context } = app
  const toTenant = async (isPublic: boolean): Promise<Tenant> => {
    const project = await addProject(store, { private: !isPublic })
    return { project, isPublic, builds: [], audiences: [], published: undefined }
  }
  const tenants = [await toTenant(true), await toTenant(false)]
  const readers: Reader[] = []
  for (const userId of [0, 0, 1, 2]) {
    const own = random.some(groups)
    readers.push({ sessionId: await signInReader(store, own, userId), userId, groups: own, cookies: new Map(), ended: [] })
  }
  let lastText = 0
  const toTexts = (of: string, shared: ReadonlyMap<string, string>): SiteTexts =>
    Object.fromEntries([
      ...paths.map((path) => [path, random.below(3) === 0 ? (shared.get(path) ?? '') : `text-${++lastText} of ${of}, ${path}`]),
      ['404.html', `text-${++lastText} of ${of}: not found`],
      ['_redirects', `/old /to-${++lastText} 301`],
    ])

  const push = async (tenant: Tenant) => {
    const isMain = random.below(3) > 0 || !tenant.published
    if (isMain) {
      const listed = random.some(names).sort(() => random.below(3) - 1)
      tenant.audiences = listed.map((name) => ({ name, groups: [random.pick(groups), ...random.some(groups)] }))
    }
    const sha = tenant.builds.length + 1
    const of = `${tenant.project.id} ${sha}`
    const shared = new Map(paths.map((path) => [path, `text-${++lastText} of ${of}, shared ${path}`]))
    const others = tenant.audiences.map((audience) => ({ audience, texts: toTexts(`${of} ${audience.name}`, shared) }))
    const build: Build = { sha, ofAll: toTexts(`${of} public`, shared), others }
    const more = isMain ? { audiences: tenant.audiences } : { publish: false, ref: `refs/heads/topic-${sha}` }
    await putSite(store, tenant.project, build.ofAll, { sha, others, ...more })
    await store.accept({ pullHeads: [{ projectId: tenant.project.id, pullNumber: sha, sha: toSha(sha) }] })
    tenant.builds.push(build)
    if (isMain) tenant.published = build
  }

  const regroup = async (reader: Reader) => {
    const before = reader.groups
    reader.groups = random.some(groups)
    const session = { id: reader.sessionId } as Parameters<typeof store.sessions.recordGroups>[0]
    await store.sessions.recordGroups(session, reader.groups)
    if (JSON.stringify(before) === JSON.stringify(reader.groups)) return
    reader.ended.push(...reader.cookies.values())
    reader.cookies.clear()
  }

  const rollBack = async (tenant: Tenant) => {
    const build = random.pick(tenant.builds.slice(-20))
    await store.sites.publish(tenant.project.id, toSha(build.sha), 'test')
    tenant.published = build
  }

  const place = context.urls.sites()
  if (!place) throw new Error('There are no sites')
  /** The tags of all answers. */
  const tags = ['"none"']

  const ask = async (tenant: Tenant) => {
    const { project, isPublic, audiences } = tenant
    const isPreview = random.below(3) === 0
    const build = isPreview ? random.pick(tenant.builds.slice(-20)) : tenant.published
    if (!build) return
    const preview = { kind: 'pull', pullNumber: build.sha } as const
    const { host } = new URL(toSiteUrl(place, { subdomain: project.subdomain, ...(isPreview && { preview }) }))
    const reader = random.below(4) === 0 ? undefined : random.pick(readers)
    const isLate = reader !== undefined && reader.ended.length > 0 && random.below(6) === 0
    if (reader && !reader.cookies.has(host)) {
      reader.cookies.set(host, await enterSite(store, reader.sessionId, { host, projectId: project.id }))
    }
    const cookie = isLate ? random.pick(reader.ended) : reader?.cookies.get(host)
    const isIn = reader !== undefined && !isLate
    const audience = isIn ? audiences.find((one) => one.groups.some((group) => reader.groups.includes(group))) : undefined
    const mayRead = isPublic || (isIn && (reader.userId !== 0 || audience !== undefined))
    const own = build.others.find((one) => JSON.stringify(one.audience) === JSON.stringify(audience))
    const texts = own?.texts ?? build.ofAll
    const path = random.pick([...paths, 'old', 'none'])
    const expected = String(texts[path] ?? texts['404.html'])
    const tag = `"${hashOf(expected).slice(0, 32)}"`
    const [kind, known] = [random.pick(['whole', 'head', 'known', 'range'] as const), random.pick(tags)]
    const range = { from: random.below(5), to: 5 + random.below(20) }
    const headers = {
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(kind === 'known' && { 'If-None-Match': known }),
      ...(kind === 'range' && { Range: `bytes=${range.from}-${range.to}` }),
    }
    const url = `/${path.replace(/index\.html$/, '')}`
    const answer = await askSite(app.address, host, url, { method: kind === 'head' ? 'HEAD' : 'GET', headers })
    const seen = { status: answer.status, text: answer.text }
    const about = JSON.stringify({ host, url, kind, groups: reader?.groups, audiences, seen, seed })
    if (!mayRead) {
      expect([seen.status, /text-\d/.test(seen.text)], about).toEqual([404, false])
      return
    }
    const [, to = ''] = / (\/to-\d+) /.exec(String(texts['_redirects'])) ?? []
    const isFile = path in texts
    const whole = { status: path === 'old' ? 301 : isFile ? 200 : 404, text: path === 'old' ? '' : expected }
    const wanted =
      kind === 'head'
        ? { ...whole, text: '' }
        : isFile && kind === 'known' && known === tag
          ? { status: 304, text: '' }
          : isFile && kind === 'range'
            ? { status: 206, text: expected.slice(range.from, range.to + 1) }
            : whole
    expect(seen, about).toEqual(wanted)
    if (path === 'old') expect(answer.headers['location'], about).toBe(to)
    else expect(answer.headers['etag'], about).toBe(tag)
    // A shared cache has only what everyone reads.
    const isShared = isPublic && !(isIn && audiences.length > 0)
    expect(answer.headers['cache-control'], about).toMatch(isShared ? /^public/ : /^private/)
    if (isPublic && audiences.length > 0) expect(answer.headers['vary'], about).toContain('Cookie')
    if (answer.headers['etag']) tags.push(String(answer.headers['etag']))
  }

  for (const tenant of tenants) await push(tenant)
  for (let step = 0; step < steps; step++) {
    const tenant = random.pick(tenants)
    const action = random.below(20)
    if (action === 0) await push(tenant)
    else if (action === 1) await regroup(random.pick(readers))
    else if (action === 2) await rollBack(tenant)
    else await ask(tenant)
  }
  // The simulation was about something.
  expect(new Set(tags).size).toBeGreaterThan(20)
})
