import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment variables that keep compiled modules between starts of the source, which saves a third of the start time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? tmpdir(), 'compile-cache'),
} as const
