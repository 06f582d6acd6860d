import type { FakeGitHub } from './fake-github.ts'

/** The settings that connect the app to a fake GitHub. */
export function toAppSettings({ url, app }: Pick<FakeGitHub, 'url' | 'app'>) {
  return {
    GITHUB_URL: url,
    GITHUB_APP_ID: String(app.id),
    GITHUB_PRIVATE_KEY: app.privateKey,
    GITHUB_WEBHOOK_SECRET: app.webhookSecret,
  }
}

/** The additional settings for user sign-in. */
export function toSignInSettings({ app }: Pick<FakeGitHub, 'app'>) {
  return { GITHUB_CLIENT_ID: app.clientId, GITHUB_CLIENT_SECRET: app.clientSecret }
}
