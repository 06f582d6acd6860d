import type { FakeGitHub } from './fake-github.ts'

/** The settings by which our app is the app of a fake GitHub. */
export function toAppSettings({ url, app }: Pick<FakeGitHub, 'url' | 'app'>) {
  return {
    GITHUB_URL: url,
    GITHUB_APP_ID: String(app.id),
    GITHUB_PRIVATE_KEY: app.privateKey,
    GITHUB_WEBHOOK_SECRET: app.webhookSecret,
  }
}

/** Those with which people can sign in besides. */
export function toSignInSettings({ app }: Pick<FakeGitHub, 'app'>) {
  return { GITHUB_CLIENT_ID: app.clientId, GITHUB_CLIENT_SECRET: app.clientSecret }
}
