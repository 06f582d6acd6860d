import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Prints the section of CHANGELOG.md about a version, for its release notes: `node scripts/release-notes.ts v1.2.3`.
const version = (process.argv[2] ?? '').replace(/^v/, '')
const text = readFileSync(process.env['CHANGELOG'] ?? join(import.meta.dirname, '../CHANGELOG.md'), 'utf8')
const section = text.split(/^## /m).find((part) => part.split(/\s/, 1)[0]?.replace(/^\[|\]$/g, '') === version)
const notes = section?.slice(section.indexOf('\n')).trim()
if (version === '' || !notes) {
  console.error(`CHANGELOG.md has no entry \`## ${version || '1.2.3'}\`. Move the entries under Unreleased there`)
  process.exitCode = 1
} else console.log(notes)
