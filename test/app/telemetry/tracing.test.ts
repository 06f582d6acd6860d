import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTracing } from '../../../src/app/telemetry/start-tracing.ts'
import { formatTrace, startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Connects an app that exports traces as the variables say. The packages read them from the environment of the process. */
async function connectTraced(env: Readonly<Record<string, string>>, options: ConnectOptions = {}) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const warnings: string[] = []
  const tracing = await startTracing(process.env, (message) => warnings.push(message))
  return { ...(await connectApp({ ...options, tracing })), warnings, tracing }
}

test('exports one trace for a push, from the webhook to the calls of GitHub', async () => {
  const receiver = await startOtlpReceiver()
  const { github, idle, app } = await connectTraced(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=docs',
      OTEL_SERVICE_NAME: 'docs-worker',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      // One worker creates the check before the run.
    },
    { env: { RUNS_AT_ONCE: '1' } },
  )
  const repository = github.createRepository('acme/api', { files })
  await repository.push({ files: { 'a.mdx': 'a' } })
  await idle()
  await repository.push({ files: { 'a.mdx': 'b' } })
  const [, second] = await idle()
  await app.stop()

  const { spans } = receiver
  const run = spans.find((span) => span.attributes['openapi_pages.status.id'] === second?.update._id)
  expect(`${formatTrace(spans, run?.traceId ?? '')}\n`).toMatchInlineSnapshot(`
    "POST /api/github/webhooks
      receive push
        store accept
          process create-check
            POST /repos/{owner}/{repo}/check-runs
          process run
            GET /repos/{owner}/{repo}/compare/{basehead}
            GET /repos/{owner}/{repo}/contents/{path}
            GET /repos/{owner}/{repo}/git/ref/{ref}
            GET /repos/{owner}/{repo}/tarball/{ref}
            GET /repositories/{repository_id}
            report
              GET /repos/{owner}/{repo}/check-runs/{check_run_id}
              PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}
            run the check
    "
  `)
  const own = spans.filter(({ traceId }) => traceId === run?.traceId)
  const deliveryId = github.deliveries.at(-1)?.guid
  const find = (name: string) => own.find((span) => span.name === name)
  expect(find('POST /api/github/webhooks')).toMatchObject({
    kind: 'server',
    parentId: undefined,
    isFailed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/github/webhooks',
      'http.response.status_code': 202,
      'url.scheme': 'http',
    },
  })
  expect(find('receive push')?.attributes).toEqual({ 'github.delivery.id': deliveryId, 'github.event': 'push' })
  expect(find('process run')).toMatchObject({
    kind: 'consumer',
    attributes: { 'github.repository': 'acme/api', 'github.delivery.id': deliveryId, 'openapi_pages.outcome': 'success' },
  })
  expect(find('POST /repos/{owner}/{repo}/check-runs')).toMatchObject({
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'url.template': '/repos/{owner}/{repo}/check-runs',
      'http.response.status_code': 201,
      'server.address': new URL(github.url).host,
      'github.installation.id': repository.installation?.id,
    },
  })
  expect(run?.resource).toMatchObject({ 'service.name': 'docs-worker', 'deployment.environment.name': 'test' })
  expect(receiver.exports[0]?.headers).toMatchObject({ 'x-team': 'docs' })
})

test('records errors of GitHub, and no secret', async () => {
  const receiver = await startOtlpReceiver()
  const { github, idle, app } = await connectTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint })
  const repository = github.createRepository('acme/api', { files })
  const secret = `ghs_${'a1'.repeat(20)}`
  const body = { message: `Bad token ${secret}` }
  github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404, body })
  await repository.push({ files: { a: 'a' } })
  await idle()
  await app.stop()
  const failed = receiver.spans.find(({ name, isFailed }) => name.includes('/tarball/') && isFailed)
  expect(failed?.attributes).toMatchObject({ 'http.response.status_code': 404, 'github.installation.id': expect.any(Number) })
  expect(failed?.errors).toEqual([expect.stringContaining('Bad token ghs_***')])
  const exported = receiver.exports.map((one) => one.body).join('\n')
  const { webhookSecret, privateKey } = app.context.config.credentials ?? {}
  const tokens = github.requests.flatMap(({ headers }) => String(headers['authorization'] ?? '').split(' ')[1] ?? [])
  expect(tokens.length).toBeGreaterThan(1)
  for (const hidden of [secret, webhookSecret, privateKey, ...tokens]) expect(exported).not.toContain(hidden)
})

test('samples as the standard variables say', async () => {
  const receiver = await startOtlpReceiver()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER: 'always_off' }
  const { github, idle, app } = await connectTraced(env)
  await github.createRepository('acme/api', { files }).push({ files: { a: 'a' } })
  expect(await idle()).toHaveLength(1)
  await app.stop()
  expect(receiver.spans).toEqual([])
})

test('works without a receiver, and stops', async () => {
  // A port that nothing listens on.
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '500' }
  const { github, idle, app, warnings } = await connectTraced(env)
  await github.createRepository('acme/api', { files }).push({ files: { a: 'a' } })
  expect((await idle()).map(({ update }) => update.status)).toEqual(['success'])
  await app.stop()
  expect(warnings).not.toEqual([])
})

test('is off without its variables', async () => {
  const receiver = await startOtlpReceiver()
  const cases: readonly Readonly<Record<string, string>>[] = [
    {},
    { OTEL_SERVICE_NAME: 'a' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_SDK_DISABLED: 'true' },
  ]
  for (const env of cases) expect((await startTracing(env, () => undefined)).isOn).toBe(false)
  const on = await startTracing({ OTEL_TRACES_EXPORTER: 'otlp' }, () => undefined)
  onTestFinished(() => on.stop())
  expect(on.isOn).toBe(true)
})
