import { setSecret } from '@actions/core'
import { requestWorkflowToken } from '../client/ask-app.ts'
import { reportUpdate } from '../client/send-report.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { type Git, openGit } from '../git/git.ts'
import { joinPath } from '../text/relative-path.ts'
import type { ActionReport, AppResult } from './action-report.ts'
import type { ActionEvent } from './event.ts'
import type { ActionInputs } from './inputs.ts'
import { type ReportedCommit, toAppReport } from './to-app-report.ts'

/**
 * Tells the app about a run, each docs root with a record of its own, by the identity of the workflow or by `app-token`.
 *
 * Never rejects, and takes half a minute at most: a run does not fail because the app is away.
 */
export async function reportToApp(
  inputs: Pick<ActionInputs, 'appUrl' | 'appToken' | 'workingDirectory'>,
  event: ActionEvent,
  report: ActionReport,
  environment: NodeJS.ProcessEnv,
): Promise<AppResult> {
  const { appUrl: address, appToken } = inputs
  const records: AppResult['records'][number][] = []
  const fail = (reason: string, hint: string, isExpected = false): AppResult => {
    return { records, trouble: `Cannot report to \`${address}\`: ${reason}. The run goes on without; ${hint}`, isExpected }
  }
  if (address === undefined) return { records, trouble: undefined, isExpected: false }
  try {
    if (event.sha === undefined || !event.ref.startsWith('refs/')) {
      return fail('this event is about no commit', 'report from a push or a pull request', true)
    }
    const identity = appToken === undefined ? await requestWorkflowToken(environment, address) : undefined
    if (identity?.kind === 'absent') {
      return event.isFork
        ? fail('a workflow of a fork has no identity', 'the app checks pull requests by itself where it is installed', true)
        : fail('this workflow has no identity', 'give the job `permissions: id-token: write`, or set the input `app-token`')
    }
    if (identity?.kind === 'failed') {
      return fail(`no identity token: ${identity.reason}`, 'run the job again, or set the input `app-token`')
    }
    const token = appToken ?? identity?.token ?? ''
    // Nothing that follows can show it, whatever goes wrong.
    setSecret(token)
    const commit = await readCommit(openGit(report.boundary), event.sha, event.ref, environment)
    const updates = report.updates.length > 0 ? report.updates : [undefined]
    const files = openDiskFiles(report.boundary)
    for (const update of updates) {
      const root = update?.root ?? joinPath('', inputs.workingDirectory)
      const body = await toAppReport({ root, update }, report, commit, files)
      const result = await reportUpdate(body, { address, token, proxyVariables: environment })
      if (result.kind === 'failed') return fail(result.reason, result.hint)
      records.push({ root, statusId: result.statusId, detailsUrl: result.detailsUrl })
    }
    return { records, trouble: undefined, isExpected: false }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), 'please report this text as a fault of openapi-pages')
  }
}

async function readCommit(git: Git, sha: string, ref: string, environment: NodeJS.ProcessEnv): Promise<ReportedCommit> {
  const { code, stdout } = await git.run(['log', '-1', '--format=%B', sha, '--'])
  return { sha, ref, message: code === 0 ? stdout.trim() : '', author: environment['GITHUB_ACTOR'] || 'unknown' }
}
