import { type Command, Option } from 'commander'
import { ConfigError } from '../../errors.ts'
import type { ContentPlace } from '../../store/stored-sites.ts'
import { readConfig } from '../app-config.ts'
import { type CommandContext, type Environment, withStore } from './with-store.ts'

/** Moves the files of sites between the database and the bucket while the server runs. */
export function defineMoveSiteFiles(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('move-site-files')
    .summary('Move the files of sites to the bucket, or back to the database')
    .description(
      'Moves the stored files of all sites between the database and the bucket in SITES_BUCKET, and verifies each file. The server can ' +
        'keep running, with the same SITES_BUCKET. An interrupted command continues when you run it again. From its start, the server ' +
        'stores new files in the new place.',
    )
    .addOption(new Option('--to <place>', 'new place of the files').choices(['bucket', 'database']).makeOptionMandatory())
    .addHelpText(
      'after',
      `
To stop using a bucket, move the files to the database, then restart the server without SITES_BUCKET.

Examples:
  openapi-pages-app move-site-files --to bucket

Exit codes: 0 success, 1 a file is damaged and was not moved, 2 the command could not run.`,
    )
    .action(async ({ to }: { to: ContentPlace }) => onEnd(await moveSiteFiles(to, env)))
}

async function moveSiteFiles(to: ContentPlace, env: Environment): Promise<number> {
  if (!(await readConfig(env)).sitesBucket) {
    throw new ConfigError('SITES_BUCKET is not set', { hint: 'Set it for this command and for the server' })
  }
  const moved = { contents: 0, storedBytes: 0 }
  const damaged = new Set<string>()
  await withStore(env, async ({ sites }) => {
    await sites.checkPlace()
    await sites.setPlace(to)
    // Again until nothing is left, because the server may have been storing files in the old place.
    for (let before = -1; before !== moved.contents; ) {
      before = moved.contents
      let after: string | undefined = ''
      while (after !== undefined) {
        const step = await sites.moveContents(to, after)
        moved.contents += step.contents
        moved.storedBytes += step.storedBytes
        for (const hash of step.damaged) damaged.add(hash)
        after = step.after
        if (process.stderr.isTTY) process.stderr.write(`\r${moved.contents} files moved`)
      }
    }
    if (process.stderr.isTTY) process.stderr.write('\r')
  })
  for (const hash of damaged) console.error(`Cannot move the file with the hash ${hash}: its content is missing or damaged`)
  const megabytes = (moved.storedBytes / 1_000_000).toFixed(1)
  console.log(`Moved ${moved.contents} ${moved.contents === 1 ? 'file' : 'files'} (${megabytes} MB) to the ${to}`)
  return damaged.size === 0 ? 0 : 1
}
