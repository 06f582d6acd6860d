import { hasPgBouncer } from './pgbouncer.ts'
import { canStartPostgres } from './postgres.ts'

/**
 * Passes DATABASE_URL to the tests of the PostgreSQL store under a name that the app does not read. Without PostgreSQL, one line says what to
 * install.
 */
export default function setUpPostgres(): () => void {
  const given = process.env['DATABASE_URL']
  delete process.env['DATABASE_URL']
  if (given) process.env['OPENAPI_PAGES_TEST_DATABASE_URL'] = given
  if (!canStartPostgres) {
    console.log(
      given
        ? 'Tests that restart PostgreSQL are skipped: it is not installed; install the Debian package `postgresql`'
        : 'PostgreSQL tests are skipped: PostgreSQL is not installed; install the Debian package `postgresql`, or set DATABASE_URL to a server on which databases can be created',
    )
  }
  if (!hasPgBouncer) {
    console.log('A test of PgBouncer is skipped: it is not installed; install the Debian package `pgbouncer`')
  }
  return () => {
    delete process.env['OPENAPI_PAGES_TEST_DATABASE_URL']
    if (given) process.env['DATABASE_URL'] = given
  }
}
