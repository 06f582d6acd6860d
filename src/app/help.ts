import { type Setting, settings } from './settings.ts'

/** The settings as `serve --help` and `docs/self-hosting.md` list them. */
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
