import { globSync } from 'tinyglobby'

/**
 * Which tests run when. Files that are named nowhere here are unit tests, which `npm test` runs.
 *
 * - Push: the unit tests, `programFiles` and `pushFiles`. This is what CI runs for every commit.
 * - By path: `byPath`, if a pull request changes what they test (`npm run test:changed -- BASE`).
 * - Nightly: all tests, and those in `nightlyFolders` only there (`npm run test:nightly`).
 */

/** Tests that start a program, or read the whole source. They use more CPU time than all unit tests. */
export const programFiles = [
  'test/{action,app,cli}/**/*.test.ts',
  'test/{direction-controls,hostile-texts,regular-expressions,untrusted-text}.test.ts',
]

/** One browser file for each part of the product that readers and maintainers use most. */
export const pushFiles = [
  'test/app/screens/dashboard/dashboard.browser.test.ts',
  'test/app/screens/people/sign-in.browser.test.ts',
  'test/site/engines.browser.test.ts',
  'test/site/keyboard.browser.test.ts',
  'test/playground/playground.browser.test.ts',
  'test/site/page/api/api-pages.browser.test.ts',
  'test/site/page/hostile-site.browser.test.ts',
  'test/site/page/search/search.browser.test.ts',
  'test/site/restricted.browser.test.ts',
]

/** Soak tests, real documents, images of pages, newcomers, packages, the container image, faults and fencing. */
export const nightlyFolders = ['test/nightly', 'test/real', 'test/soak', 'test/visual']

/** All files that need a browser, a built program or several processes, except those in `nightlyFolders`. */
export const slowFiles = ['test/e2e/**/*.test.ts', 'test/**/*.{browser,e2e}.test.ts']

/** The rooms below the Action, the site, the command line and the app. Unit tests hold what each promises to the others. */
const core = [
  'src/changes',
  'src/checks',
  'src/diagnostics',
  'src/docs',
  'src/files',
  'src/model',
  'src/openapi',
  'src/rules',
  'src/script',
  'src/text',
  'src/traffic',
  'texts',
]
const site = ['locales', 'src/playground', 'src/site']
const action = ['action.yml', 'src/action', 'src/git', 'src/github', 'src/status']
const app = ['src/app', 'src/github', 'src/status', 'src/store']

interface Subject {
  /** Patterns of test files. */
  readonly files: readonly string[]
  /** Folders and files of the program. The tests run if one of them changes. */
  readonly tests: readonly string[]
}

/** One file for each way through the whole program, from a document to findings, pages, requests, commits and checks. */
const ways = [
  'test/app/publish/site.e2e.test.ts',
  'test/cli/process.e2e.test.ts',
  'test/contributing.e2e.test.ts',
  'test/e2e/{commit,diagnostics,lsp,mcp,pull-request}.test.ts',
  'test/playground/request-matrix.browser.test.ts',
  'test/site/changelog.browser.test.ts',
  'test/site/page/api/choices.browser.test.ts',
  'test/site/page/pages.browser.test.ts',
]

/** What the files of the lane by path test: the rooms whose contract they hold, not all that they reach. */
export const byPath: readonly Subject[] = [
  { files: ways, tests: [...core, ...site] },
  { files: ['test/action/**'], tests: action },
  { files: ['test/e2e/{action-outcomes,api-commit,check,commit,diagnostics,failures,pull-request}.*'], tests: action },
  { files: ['test/e2e/{untrusted-repositories,workflows}.*'], tests: [...action, 'examples'] },
  { files: ['test/e2e/dist.test.ts'], tests: ['dist', 'scripts'] },
  { files: ['test/e2e/report-to-app.test.ts'], tests: [...action, 'src/app', 'src/store'] },
  { files: ['test/e2e/app-build.test.ts', 'test/e2e/app-demo.test.ts'], tests: [...app, 'bin', 'scripts'] },
  { files: ['test/e2e/demo.test.ts'], tests: ['dist', 'examples', 'scripts'] },
  { files: ['test/e2e/lsp.test.ts', 'test/e2e/mcp.test.ts', 'test/cli/**'], tests: ['bin', 'src/cli'] },
  { files: ['test/app/**'], tests: app },
  { files: ['test/app/publish/*.browser.test.ts', 'test/playground/**', 'test/site/**'], tests: site },
  {
    files: ['test/contributing.e2e.test.ts'],
    tests: ['CONTRIBUTING.md', 'src/action', 'src/app', 'src/cli', 'src/git', 'src/github', 'src/status', 'src/store'],
  },
  { files: ['test/support/**'], tests: ['test/support'] },
]

/** A change of one of these can change the result of every test. */
const everything = [
  '.ci',
  'package-lock.json',
  'package.json',
  'scripts/build.ts',
  'test/lanes.ts',
  'test/support',
  'vitest.config.ts',
]

/**
 * Lists the browser and end-to-end files that a change has to run in addition to the push lane.
 *
 * @param changed paths relative to the repository, with `/`.
 */
export function selectByPath(root: string, changed: readonly string[]): string[] {
  const isChanged = (place: string) => changed.some((path) => path === place || path.startsWith(`${place}/`))
  const all = listSlowFiles(root)
  if (everything.some(isChanged)) return all
  const selected = byPath.filter(({ tests }) => tests.some(isChanged)).flatMap(({ files }) => globSync([...files], { cwd: root }))
  return all.filter((file) => selected.includes(file) || isChanged(file))
}

/** The files of the lane by path. */
export function listSlowFiles(root: string): string[] {
  const ignore = ['test/fixtures/**', ...nightlyFolders.map((folder) => `${folder}/**`), ...pushFiles]
  return globSync(slowFiles, { cwd: root, ignore }).sort()
}
