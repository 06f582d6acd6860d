import { testCases } from './cases.ts'

testCases('changes')
