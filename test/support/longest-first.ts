import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, on two idle cores from half a minute down to ten seconds. By their size they would come among the last. */
const longest = [
  'e2e/app-faults',
  'soak/action-races',
  'site/pages.browser',
  'app/pages.browser',
  'app/dashboard/dashboard.browser',
  'app/run/pictures.browser',
  'app/run/site',
  'soak/app-kill',
  'soak/site-kill',
  'site/api/api-pages.browser',
  'app/commands/store-commands',
  'app/run/regenerate',
  'app/serve',
  'e2e/package',
  'e2e/commit',
  'e2e/dist',
  'app/run/attacks',
  'e2e/report-to-app',
  'e2e/pull-request',
  'playground/playground.browser',
  'playground/oauth.browser',
  'preview/preview.browser',
  'app/run/surfaces',
  'app/self-hosting',
  'cli/process',
  'e2e/action-outcomes',
  'site/search/search.browser',
  'app/run/comment',
  'playground/sending.browser',
  'site/hostile-site.browser',
  'e2e/app-demo',
  // Of those that share a process.
  'action/delivery/moved-branch',
  'action/delivery/protected-branch',
  'action/delivery/propose-update',
  'openapi/robustness',
  'action/delivery/own-commit',
  'update/hostile-names',
  'cli/build',
].map((name) => `/test/${name}.test.ts`)

/**
 * Starts the longest files first, so that none of them is the last to end, alone. What shares a process comes after all that does not: the next file
 * takes over the process only where it is one of them too.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const place = longest.findIndex((end) => moduleId.endsWith(end))
  const shares = project.config.isolate ? 0 : longest.length + 1
  return shares + (place === -1 ? longest.length : place)
}
