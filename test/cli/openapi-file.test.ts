import { testCases } from './cases.ts'

testCases('openapi-file')
