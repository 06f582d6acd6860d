import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { claimNext } from '../../../store/store-fixture.ts'
import { addProjectOf, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'
import { addToken } from '../../support/test-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

/** A line of the log: its fields that all lines share, and the rest. */
type Line = Readonly<Record<string, unknown>>

const parse = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line)

test('logs each step of a push with the ID of its delivery', async () => {
  const { github, idle, logLines } = await connectApp()
  const repository = github.createRepository('acme/api', { files })
  await repository.push({ files: { 'a.mdx': 'a' } })
  const [first] = await idle()
  logLines.length = 0
  await repository.push({ files: { 'a.mdx': 'b' } })
  const [, second] = await idle()
  const deliveryId = github.deliveries.at(-1)?.guid
  expect(deliveryId).toMatch(/^[\w-]{8,}$/)
  const lines = parse(logLines)
  const messages = (line: Line) => String(line['msg'])
  expect(lines.filter((line) => line['deliveryId'] !== deliveryId).map(messages)).toEqual([])
  expect(new Set(lines.map(messages))).toEqual(
    new Set([
      'Received a webhook',
      'Update queued',
      'Request completed',
      'Request to GitHub completed',
      'Update started',
      'Update ended',
    ]),
  )
  // No line has a field twice.
  for (const line of logLines) expect(line.match(/"deliveryId"/g)).toHaveLength(1)

  const statusId = second?.update._id
  const run = { jobId: statusId, statusId, projectId: second?.update.projectId, repository: 'acme/api' }
  const requests = lines.filter((line) => line['msg'] === 'Request to GitHub completed')
  const routes = (wanted: Line) =>
    requests.filter((line) => Object.entries(wanted).every(([name, value]) => line[name] === value)).map((line) => line['route'])
  expect(routes(run)).toContain('/repos/{owner}/{repo}/tarball/{ref}')
  expect(routes(run)).toContain('/repos/{owner}/{repo}/check-runs/{check_run_id}')
  expect(routes({ subject: 'check', statusId })).toContain('/repos/{owner}/{repo}/check-runs')
  const headSha = second?.update.commit.sha
  expect(lines.find((line) => line['msg'] === 'Update started')).toMatchObject({ ...run, level: 'info', headSha, attempt: 1 })
  expect(lines.find((line) => line['msg'] === 'Update ended')).toMatchObject({ ...run, headSha })
  expect(requests.every((line) => typeof line['ms'] === 'number')).toBe(true)
  // The organization has no ruleset.
  const refused = requests.filter(({ status }) => status !== 200 && status !== 201)
  expect([...new Set(refused.map(({ route, status }) => `${status} ${route}`))]).toEqual([
    '404 /repos/{owner}/{repo}/contents/{path}',
  ])
  expect(first?.update._id).not.toBe(statusId)
})

test('logs each step of a triggered update with the ID of its request', async () => {
  const { github, app, idle, store, logLines } = await connectApp()
  const repository = github.createRepository('acme/api', { files })
  await repository.push({ files: { a: 'a' } })
  const [pushed] = await idle()
  const projectId = pushed?.update.projectId ?? ''
  const { text } = await addToken(store, { scope: 'write', projectId })
  logLines.length = 0
  const answer = await fetch(`${app.address}/v1/project/update/${projectId}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${text}` },
  })
  await idle()
  const requestId = answer.headers.get('x-request-id')
  const lines = parse(logLines)
  expect(lines.filter((line) => line['requestId'] !== requestId)).toEqual([])
  expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['Update triggered', 'Update ended']))
  expect(lines.some((line) => 'deliveryId' in line)).toBe(false)
  const status = `${app.address}/v1/project/update-status/${pushed?.update._id}`
  const refused = await fetch(status, { headers: { Authorization: 'Bearer none' } })
  const rejected = { msg: 'Rejected a token', requestId: refused.headers.get('x-request-id') }
  expect(parse(logLines)).toContainEqual(expect.objectContaining(rejected))
})

test('logs a failed attempt with the ID of its delivery', async () => {
  const { github, idle, logLines } = await connectApp({ env: { RUNS_AT_ONCE: '1' } })
  const repository = github.createRepository('acme/api', { files })
  github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404 })
  await repository.push({ files: { a: 'a' } })
  await idle()
  const failed = parse(logLines).filter((line) => line['status'] === 404)
  const expected = { deliveryId: github.deliveries.at(-1)?.guid, repository: 'acme/api' }
  // The request, and the attempt.
  expect(failed).toMatchObject([expected, expected])
})

test('logs an update that a claim gives up, with the ID of its delivery', async () => {
  const { github, store, restart } = await connectApp({ withoutRuns: true })
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf({ store }, repository)
  await repository.push({ files: { a: 'a' } })
  const claim = (leaseMs: number) => claimNext(store, 'killed', leaseMs)
  for (let loss = 1; loss < 5; loss++) {
    expect(await claim(1)).toMatchObject({ kind: 'run' })
    await sleep(2)
  }
  // This lease ends after the look for lost jobs at the start.
  const last = await claim(1_000)
  const { idle, logLines } = await restart({ withoutRuns: false })
  await vi.waitUntil(() => logLines.some((line) => line.includes('Gave up on a job')), 120_000)
  const [ended] = await idle()
  expect(ended?.update).toMatchObject({ _id: last?.lease.jobId, status: 'failure' })
  const statusId = ended?.update._id
  expect(parse(logLines).filter(({ msg }) => msg === 'Gave up on a job')).toMatchObject([
    { level: 'error', deliveryId: github.deliveries.at(-1)?.guid, jobId: statusId, statusId, kind: 'run' },
  ])
})
