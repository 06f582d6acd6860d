import { describe } from 'vitest'
import { hasPostgres } from '../../support/postgres.ts'
import { describeUpdates } from '../store-contract.ts'
import { useDatabases } from './contract-databases.ts'

describe.skipIf(!hasPostgres)('PostgreSQL: updates', () => describeUpdates(useDatabases().openStore))
