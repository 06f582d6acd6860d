import { describe } from 'vitest'
import { hasPostgres } from '../../support/postgres.ts'
import { describeProjectData } from '../store-contract.ts'
import { useDatabases } from './contract-databases.ts'

describe.skipIf(!hasPostgres)('PostgreSQL: data of projects', () => describeProjectData(useDatabases().openStore))
