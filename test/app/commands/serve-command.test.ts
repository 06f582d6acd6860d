import { expect, test } from 'vitest'
import { findSitesPlace } from '../../../src/app/base/sites-domain.ts'
import { toNextSteps } from '../../../src/app/commands/serve-command.ts'

const setupUrl = 'https://pages.example.com/setup?key=k'

test.each([
  ['a server', 'https://pages.example.com', 'sites.example.com', 'https://<owner>-<repository>.sites.example.com/', false],
  ['a server without a sites domain', 'https://pages.example.com', undefined, 'off (set SITES_DOMAIN to a domain', false],
  // GitHub uses the tunnel; local browsers resolve every name under localhost.
  ['a tunnel to this machine', 'https://tunnel.example.com', 'localhost', 'http://<owner>-<repository>.localhost:3000/', false],
  ['a server on localhost', 'http://localhost:8080', undefined, 'http://<owner>-<repository>.localhost:8080/', true],
])('shows the URL of sites for %s', (_what, baseUrl, domain, sites, cannotReceiveWebhooks) => {
  const place = findSitesPlace(domain, baseUrl, 3000)
  const text = toNextSteps({ setup: { url: setupUrl }, baseUrl, githubUrl: 'https://github.com', place })
  expect(text).toContain(`  sites     ${sites}`)
  expect(text).toContain(`  projects  ${baseUrl}/projects`)
  expect(text).toContain(`  ${setupUrl}\n`)
  expect(text.includes(`https://github.com cannot deliver webhooks to ${baseUrl}.\nSet BASE_URL`)).toBe(cannotReceiveWebhooks)
})

test('omits the setup page once a GitHub App is set up', () => {
  const text = toNextSteps({
    setup: undefined,
    baseUrl: 'https://a.example',
    githubUrl: 'https://github.com',
    place: undefined,
  })
  expect(text).not.toContain('GitHub App')
})

test('without a terminal, shows the path of the file with the setup URL but not the URL', () => {
  const setup = { path: '/data/setup-url.txt' }
  const text = toNextSteps({ setup, baseUrl: 'https://a.example', githubUrl: 'https://github.com', place: undefined })
  expect(text).toContain('open the setup URL in this file:\n\n  /data/setup-url.txt\n')
  expect(text).not.toContain('key=')
})
