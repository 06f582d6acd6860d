import { expect, test } from 'vitest'
import type { NewRuleCounts, RuleCounts } from '../../../src/store/rule-count-store.ts'
import { hostileStrings } from '../../support/hostile-strings.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'

const day = 24 * 3_600_000

interface Given {
  readonly ruleset?: Partial<RuleCounts['ruleset']>
  /** Errors and warnings by rule. */
  readonly rules: Readonly<Record<string, readonly [errors: number, warnings: number]>>
}

function toCounts({ ruleset, rules }: Given): NewRuleCounts {
  return {
    ruleset: {
      name: 'acme/.github',
      repositoryId: 7,
      isPrivate: true,
      path: '.spectral.yaml',
      sha: toSha('9'),
      ruleCount: 12,
      isNewOnly: false,
      problems: [],
      problemCount: 0,
      ...ruleset,
    },
    counts: Object.entries(rules).map(([rule, [errors, warnings]]) => ({ rule, errors, warnings, infos: 0 })),
  }
}

/** Three repositories of an organization, of which `reader` may read two. */
async function start(ruleset?: Given['ruleset']) {
  const app = await startPeopleApp()
  const add = async (name: string, roles: Parameters<typeof app.addRepository>[1]) =>
    (await app.addRepository(name, roles, { private: true })).project
  const pets = await add('acme/pets', { reader: 'read', boss: 'admin' })
  const orders = await add('acme/orders', { reader: 'read', boss: 'admin' })
  const secret = await add('acme/secret', { boss: 'admin' })
  const end = async (project: typeof pets, ageDays: number, rules: Given['rules']) => {
    const endedAt = new Date(Date.now() - ageDays * day).toISOString()
    await endUpdate(app.store, project, {
      sha: toSha('1'),
      createdAt: endedAt,
      endedAt,
      ruleCounts: toCounts({ ...(ruleset && { ruleset }), rules }),
    })
  }
  await end(pets, 40, { 'operation-tags': [0, 20] })
  await end(pets, 1, { 'operation-tags': [0, 8] })
  await end(orders, 0, { 'operation-tags': [1, 0], contact: [2, 0] })
  await end(secret, 0, { 'secret-rule': [100, 0] })
  return { app, pets, orders, secret, reader: await app.visitorOf('reader') }
}

const toText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('the scorecard shows the repositories that a person may read, worst first', async () => {
  const { reader } = await start()
  const { status, text } = await reader.ask('/rules/acme')
  expect(status).toBe(200)
  const [, table = ''] = text.split('class="scores"')
  const shown = toText(table.split('</table>')[0] ?? '')
  expect(shown).toMatch(
    /Repository Problems 30 days contact operation-tags .*acme\/orders .* 3 : 3 errors New 2 : 2 errors 1 : 1 error/,
  )
  expect(shown).toMatch(/acme\/orders .*acme\/pets .* 8 : 8 warnings −12 0 8 : 8 warnings $/)
  expect(text).not.toContain('secret')
  expect(toText(text)).toMatch(/Problems 11 Errors 3 Change in 30 days −12 Rules 12 Checks report All problems/)
  // The repository with the ruleset is private, so there is no link to it.
  expect(text).not.toContain('/blob/')
})

test('people without a repository of the organization cannot detect its rules', async () => {
  const { app } = await start()
  const outsider = await app.visitorOf('outsider')
  const nothing = await outsider.ask('/rules/none')
  for (const path of ['/rules/acme', '/rules/acme/scorecard.csv']) {
    const { status, text } = await outsider.ask(path)
    expect([status, text], path).toEqual([404, nothing.text])
  }
  outsider.cookies.clear()
  expect((await outsider.ask('/rules/acme')).headers.get('location')).toBe('/sign-in?to=%2Frules%2Facme')
})

test('the CSV has all rules, and runs no formulas', async () => {
  const { app, orders, reader } = await start()
  const rules = { '=HYPERLINK("https://example.com")': [1, 1], 'a, "b"': [0, 1] } as const
  await endUpdate(app.store, orders, { sha: toSha('2'), ruleCounts: toCounts({ rules }) })
  const { status, text, headers } = await reader.ask('/rules/acme/scorecard.csv')
  const today = new Date().toISOString().slice(0, 10)
  const yesterday = new Date(Date.now() - day).toISOString().slice(0, 10)
  const before = new Date(Date.now() - 40 * day).toISOString().slice(0, 10)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'private, no-cache',
  ])
  expect(headers.get('content-disposition')).toBe('attachment; filename="scorecard-acme.csv"')
  expect(text.split('\r\n')).toEqual([
    `repository,directory,commit,checked,errors,warnings,infos,change,compared with,"'=HYPERLINK(""https://example.com"")",operation-tags,"a, ""b"""`,
    `acme/orders,,${toSha('2')},${today},1,2,0,,,2,0,1`,
    `acme/pets,,${toSha('1')},${yesterday},0,8,0,-12,${before},0,8,0`,
    '',
  ])
})

test('shows the problems of the ruleset to people who may read it', async () => {
  const problems = ['.spectral.yaml:3:5 Unknown function `truty`']
  const hidden = await start({ problems, problemCount: 1, ruleCount: 11 })
  const { text } = await hidden.reader.ask('/rules/acme')
  expect(toText(text)).toContain('The ruleset has 1 problem. The other rules are applied.')
  expect(text).not.toContain('truty')
  const open = await start({ problems, problemCount: 1, isPrivate: false })
  const shown = (await open.reader.ask('/rules/acme')).text
  expect(shown).toContain('Unknown function `truty`')
  expect(shown).toContain(`/acme/.github/blob/${toSha('9')}/.spectral.yaml`)
})

test('says until when only new problems are reported', async () => {
  const { reader } = await start({ isNewOnly: true, newOnlyUntil: '9999-03-31' })
  expect(toText((await reader.ask('/rules/acme')).text)).toContain('Only new problems until 31 Mar 9999')
})

test('explains how to add rules if there are none', async () => {
  const app = await startPeopleApp()
  await app.addRepository('acme/pets', { reader: 'read' })
  const reader = await app.visitorOf('reader')
  const { text } = await reader.ask('/rules/acme')
  expect(toText(text)).toMatch(
    /No rules yet\. .*Add the Spectral ruleset \.spectral\.yaml to the default branch of acme\/\.github/,
  )
  expect((await reader.ask('/rules/acme/scorecard.csv')).text).toBe(
    'repository,directory,commit,checked,errors,warnings,infos,change,compared with\r\n',
  )
})

test('leads to the only organization, and lists several', async () => {
  const { app, reader } = await start()
  expect((await reader.ask('/projects')).text).toContain('href="/rules"')
  expect((await reader.ask('/rules')).headers.get('location')).toBe('/rules/acme')
  await app.addRepository('Other/api', { other: 'read' })
  await app.addRepository('acme/open', { other: 'read' })
  const { text } = await (await app.visitorOf('other')).ask('/rules')
  expect(text).toMatch(/href="\/rules\/Other"[\s\S]*href="\/rules\/acme"/)
})

test('disappears for people who lose access, and with a deleted repository', async () => {
  const { app, pets, orders, reader } = await start()
  await app.store.projects.apply([{ kind: 'delete-project', projectId: orders.id }])
  expect((await reader.ask('/rules/acme')).text).not.toContain('acme/orders')
  app.github.findRepository('acme/pets')?.collaborators.delete('reader')
  // A new session has no cached access.
  const later = await app.visitorOf('reader')
  expect((await later.ask(`/projects/${pets.id}`)).status).toBe(404)
  expect((await later.ask('/rules/acme')).status).toBe(404)
})

test('shows names of rules as text', async () => {
  const { app, orders, reader } = await start()
  const rules = Object.fromEntries(hostileStrings.map((name) => [name, [1, 0] as const]))
  await endUpdate(app.store, orders, { sha: toSha('2'), ruleCounts: toCounts({ rules }) })
  const { text } = await reader.ask('/rules/acme')
  expect(text).not.toMatch(/<script>|<img/i)
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})
