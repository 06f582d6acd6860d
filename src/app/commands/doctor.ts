import { readConfig } from '../app-config.ts'
import { type Examination, examine } from '../doctor.ts'
import type { Command } from './commands.ts'

const marks: Readonly<Record<Examination['state'], string>> = { well: '✔', warning: '!', ill: '✖' }

/** Says what keeps the server from working, each with its fix. */
export const doctorCommand: Command = {
  help: `openapi-pages doctor

Checks the settings, the data folder and its disk, the browser that takes pictures of sites, the keys of the GitHub App,
its permissions and events, the webhook address from here and from GitHub's list of deliveries, and the clock. Exits 1 where something is wrong.`,
  takes: 0,
  async run({ env }) {
    const config = await readConfig(env)
    const found = await examine(config, new Date())
    for (const { state, message, fix } of found) console.log(`${marks[state]} ${message}${fix ? `\n    ${fix}` : ''}`)
    const ill = found.filter(({ state }) => state === 'ill').length
    console.log(
      ill === 0 ? '\n✔ nothing stands in the way' : `\n✖ ${ill} ${ill === 1 ? 'thing has' : 'things have'} to be mended`,
    )
    return ill === 0 ? 0 : 1
  },
}
