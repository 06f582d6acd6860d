import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runProgram } from '../../src/app/commands/app-program.ts'
import { documentedExamples, readShellCommands } from '../support/documented-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { addProject, addToken, addUpdate, finishNext, startNext, startTestApp } from './support/test-app.ts'

// Every command of the app and every request in the documentation runs against an app with one project.

/** Commands that other tests run, because they need a GitHub App or PostgreSQL, or run until they are stopped. */
const elsewhere = /^(?:serve|reconcile|migrate-store)?(?: |$)/

const scripts = documentedExamples.filter(({ language }) => language === 'sh')
const calls = scripts.flatMap(({ page, text }) => readShellCommands(text).map((command) => ({ page, ...command })))
const commands = calls.filter(({ program, args }) => program === 'openapi-pages-app' && !elsewhere.test(args.join(' ')))
const requests = calls.filter(({ program }) => program === 'curl')

async function startWithProject() {
  const app = await startTestApp(onTestFinished)
  const project = await addProject(app.store)
  const token = await addToken(app.store, { scope: 'read', projectId: project.id })
  return { app, project, token }
}

describe('the commands of the app', () => {
  test('are found in the documentation', () => {
    expect(new Set(commands.map(({ args }) => args[0]))).toEqual(new Set(['backup', 'inspect', 'project', 'token']))
    expect(requests.length).toBeGreaterThan(0)
  })

  test.each([...new Set(commands.map(({ page }) => page))])('of %s run', async (page) => {
    const { app, project } = await startWithProject()
    const deleted = await addProject(app.store)
    await app.store.projects.apply([{ kind: 'delete-repository', repositoryId: deleted.repositoryId }])
    const folder = makeTemporaryFolder()
    const output = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const messages = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => {
      output.mockRestore()
      messages.mockRestore()
    })
    for (const [index, { args }] of commands.filter((command) => command.page === page).entries()) {
      const projectId = args.includes('restore') ? deleted.id : project.id
      const token = await addToken(app.store, { scope: 'read', projectId: project.id })
      const given = args.map((arg) =>
        arg.startsWith('prj_')
          ? projectId
          : arg.startsWith('tok_')
            ? token.id
            : arg.includes('/') && args[0] === 'backup'
              ? join(folder, `${index}`)
              : arg,
      )
      expect(await runProgram(given, { DATA_DIR: app.dataDir }), args.join(' ')).toBe(0)
    }
  })
})

describe('the requests', () => {
  test.each(requests)('$page: curl $args', async ({ args }) => {
    const { app, project, token } = await startWithProject()
    const update = await addUpdate(app.store, project)
    await finishNext(app.store, await startNext(app.store), { status: 'success', summary: 'Done' })
    const url = new URL(args.find((arg) => arg.startsWith('https:')) ?? '')
    const headers = args.flatMap((arg, index) => {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(arg) ?? []
      return args[index - 1] === '-H' ? [[name, value.replace('$OPENAPI_PAGES_TOKEN', token.text)] as const] : []
    })
    const options = args.filter((arg, index) => arg !== '-H' && args[index - 1] !== '-H' && arg !== url.href)
    expect(options).toEqual([])
    // The client validates the response against the OpenAPI document of the API.
    const path = url.pathname.replace(/[0-9a-f-]{36}/, update._id).replace(/prj_\w+/, project.id)
    expect(await app.api(path, { headers: Object.fromEntries(headers) })).toMatchObject({
      status: 200,
      body: { _id: update._id },
    })
  })
})
