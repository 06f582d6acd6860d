import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { runBin } from '../support/run-bin.ts'

/** GitHub's own description: 13 MB, 1,223 operations. */
export const gitHubDescription = () => join(inject('realModules'), '@octokit/openapi/generated/api.github.com.json')

/**
 * Builds the site of GitHub's description once in a run, with the pages of its schemas: more than 2,000 pages.
 *
 * @returns The folder of the site, which the tests of a run share and must not change.
 */
export async function buildGitHubSite(): Promise<string> {
  const folder = join(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? '', 'github-site')
  const site = join(folder, 'site')
  if (existsSync(site)) return site
  const files = {
    'openapi.json': readFileSync(gitHubDescription(), 'utf8'),
    'openapi-pages.config.yaml': 'schemas: true\n',
    'docs.json': '{"name": "API", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json"}]}}',
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const { code, stderr } = await runBin(['build', '.', '-o', 'unfinished', '--no-cache', '--quiet'], { cwd: folder })
  if (code !== 0) throw new Error(`The site of GitHub's description cannot be built:\n${stderr}`)
  // A build that was stopped leaves no site.
  renameSync(join(folder, 'unfinished'), site)
  return site
}
