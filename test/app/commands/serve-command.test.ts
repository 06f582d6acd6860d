import { expect, test } from 'vitest'
import { toNextSteps } from '../../../src/app/commands/serve-command.ts'
import { findSitesPlace } from '../../../src/app/sites/sites-domain.ts'

const setupUrl = 'https://pages.example.com/setup?key=k'

test.each([
  ['a server', 'https://pages.example.com', 'sites.example.com', 'https://<owner>-<repository>.sites.example.com/', false],
  ['a server that has no domain for sites', 'https://pages.example.com', undefined, 'none are hosted: set SITES_DOMAIN', false],
  // The tunnel is for GitHub; browsers here know every name below localhost.
  ['a tunnel to this machine', 'https://tunnel.example.com', 'localhost', 'http://<owner>-<repository>.localhost:3000/', false],
  ['this machine alone', 'http://localhost:8080', undefined, 'http://<owner>-<repository>.localhost:8080/', true],
])('%s: where its sites will be', (_what, baseUrl, domain, sites, isDeaf) => {
  const place = findSitesPlace(domain, baseUrl, 3000)
  const text = toNextSteps({ setup: { url: setupUrl }, baseUrl, githubUrl: 'https://github.com', place })
  expect(text).toContain(`  sites     ${sites}`)
  expect(text).toContain(`  projects  ${baseUrl}/projects`)
  expect(text).toContain(`  ${setupUrl}\n`)
  expect(text.includes(`https://github.com cannot deliver pushes to ${baseUrl}: start again with BASE_URL`)).toBe(isDeaf)
})

test('once there is a GitHub App, nothing is said of the setup page', () => {
  const text = toNextSteps({
    setup: undefined,
    baseUrl: 'https://a.example',
    githubUrl: 'https://github.com',
    place: undefined,
  })
  expect(text).not.toContain('GitHub App')
})

test('where nobody sees a terminal, the file with the URL is named and the URL is not', () => {
  const setup = { path: '/data/setup-url.txt' }
  const text = toNextSteps({ setup, baseUrl: 'https://a.example', githubUrl: 'https://github.com', place: undefined })
  expect(text).toContain('The URL of the setup page is in this file:\n\n  /data/setup-url.txt\n')
  expect(text).not.toContain('key=')
})
