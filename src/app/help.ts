import { type Setting, settings } from './settings.ts'

/** The settings as `serve --help` lists them. */
export function appHelp(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ env, about, usual }) => [env, `${about}${usual ? ` (${usual})` : ''}`] as const,
  )
  const width = Math.max(...rows.map(([env]) => env.length))
  return [
    '',
    'Settings, from the environment or (except secrets) from openapi-pages.app.yaml in the data folder:',
    ...rows.map(([env, about]) => `  ${env.padEnd(width)}  ${about}`),
  ].join('\n')
}

/** The settings as a Markdown table, for `docs/self-hosting.md`; a test holds the two together. */
export function formatSettingsTable(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ env, key, about, usual }) =>
      `| \`${env}\` | ${key === undefined ? '' : `\`${key}\``} | ${about} | ${usual ? `\`${usual}\`` : ''} |`,
  )
  return ['| environment | file | what it is | when not given |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
