import { openS3Bucket } from '../../src/store/sites/s3-bucket.ts'
import { openSqliteStore } from '../../src/store/store.ts'
import { toContent } from '../store/site-fixture.ts'
import { testBucket } from './s3-server.ts'

// A process that stores two contents in a bucket, to be killed.
//   node bucket-process.ts <path> <prefix> <endpoint>

const [path = '', prefix = '', endpoint = ''] = process.argv.slice(2)

const bucket = openS3Bucket({ name: testBucket, prefix, endpoint })
const store = await openSqliteStore({ path, bucket, now: () => Number(process.env['TEST_NOW']) })
await store.sites.addContents([toContent('killed'), toContent('killed too')])
await store.close()
