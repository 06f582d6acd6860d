import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readers, settings, toVariable } from '../src/app/base/config/settings.ts'
import { createProgram } from '../src/app/commands/app-program.ts'
import { projectFolder } from './support/action-harness.ts'
import { readDockerfile } from './support/read-dockerfile.ts'

const read = (path: string) => readFileSync(join(projectFolder, 'deploy', path), 'utf8')
const settingNames = Object.keys(settings).map(toVariable)
const image = readDockerfile(readFileSync(join(projectFolder, 'Dockerfile'), 'utf8'))
const imageEnvironment = new Map(
  image
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => text.split(' ').map((pair) => pair.split('=') as [string, string])),
)

/** Parses the arguments as the app does, and returns the role. */
async function readRole(command: readonly string[]): Promise<string | undefined> {
  const [program, ...args] = command
  expect(program).toBe('openapi-pages-app')
  let role: string | undefined
  const app = createProgram({ env: {}, onEnd: () => undefined })
  const serve = app.commands.find((one) => one.name() === 'serve')
  serve?.action((options: { role?: string }) => {
    role = options.role
  })
  await app.parseAsync(args, { from: 'user' })
  return role
}

// The parts of Kubernetes' objects that the tests read.
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly [string, string] } } }
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
interface Deployment {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas: number
    readonly strategy: { readonly rollingUpdate: object }
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly automountServiceAccountToken: boolean
        readonly securityContext: object
        readonly containers: readonly [Container]
        readonly volumes: readonly { readonly name: string; readonly emptyDir: object }[]
      }
    }
  }
}

describe('the Kubernetes manifests', () => {
  const parseFile = (name: string) =>
    parseAllDocuments(read(`kubernetes/${name}`), { strict: true }).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS() as { readonly kind: string; readonly metadata: { readonly name: string } }
    })
  const find = (file: string, kind: string) => parseFile(file).find((one) => one.kind === kind)
  const deployments = (['web', 'worker'] as const).map(
    (role) => [role, find(`${role}.yaml`, 'Deployment') as Deployment] as const,
  )

  test('the kustomization lists every manifest that is not optional', () => {
    const { resources, images, configMapGenerator } = parse(read('kubernetes/kustomization.yaml')) as {
      resources: readonly string[]
      images: readonly { name: string; newTag: string }[]
      configMapGenerator: readonly { name: string; envs: readonly string[] }[]
    }
    const optional = ['kustomization.yaml', 'secret.example.yaml', 'worker-scaling.yaml']
    const names = readdirSync(join(projectFolder, 'deploy/kubernetes')).filter((name) => name.endsWith('.yaml'))
    expect([...resources, ...optional].sort()).toEqual(names.sort())
    const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }
    expect(images).toMatchObject([{ name: 'openapi-pages', newTag: version }])
    expect(configMapGenerator).toEqual([{ name: 'openapi-pages', envs: ['settings.env'] }])
  })

  test('set only settings of the app', () => {
    const { stringData } = find('secret.example.yaml', 'Secret') as unknown as { stringData: object }
    const inFile = Array.from(read('kubernetes/settings.env').matchAll(/^(\w+)=/gm), ([, name]) => name)
    const inPods = deployments.flatMap(([, { spec }]) => spec.template.spec.containers[0].env.map(({ name }) => name))
    for (const name of [...Object.keys(stringData), ...inFile, ...inPods]) expect(settingNames).toContain(name)
    const secrets = Object.entries(settings).flatMap(([name, setting]) => ('secret' in setting ? [toVariable(name)] : []))
    expect(inFile.filter((name) => secrets.includes(name ?? ''))).toEqual([])
  })

  test.each(deployments)(
    'the %s processes start with their role, and are probed where the app responds',
    async (role, { spec }) => {
      const [container] = spec.template.spec.containers
      expect(await readRole(container.args)).toBe(role)
      expect(container.ports).toEqual([{ name: 'http', containerPort: Number(imageEnvironment.get('PORT')) }])
      expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    },
  )

  test.each(deployments)('the %s processes have no rights, and write only to their volumes', (_role, { spec }) => {
    const pod = spec.template.spec
    const [container] = pod.containers
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const paths = container.volumeMounts.map(({ mountPath }) => mountPath)
    expect(paths).toEqual([imageEnvironment.get('DATA_DIR'), '/tmp'])
    expect(pod.volumes.map(({ name }) => name)).toEqual(container.volumeMounts.map(({ name }) => name))
    for (const { emptyDir } of pod.volumes) expect(emptyDir).toHaveProperty('sizeLimit')
  })

  test.each(deployments)('the %s processes get enough time to stop', (_role, { spec }) => {
    const { containers, terminationGracePeriodSeconds } = spec.template.spec
    const [{ env, lifecycle }] = containers
    const stopSeconds = Number(env.find(({ name }) => name === 'STOP_TIMEOUT_SECONDS')?.value)
    const pauseSeconds = Number(lifecycle?.preStop.exec.command[1] ?? 0)
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pauseSeconds + stopSeconds + 5)
    expect(readers.stopTimeoutSeconds(String(stopSeconds))).toEqual({ value: stopSeconds })
  })

  test('a rollout never has fewer processes for requests', () => {
    const web = find('web.yaml', 'Deployment') as Deployment
    expect(web.spec.replicas).toBeGreaterThan(1)
    expect(web.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(find('web.yaml', 'PodDisruptionBudget')).toMatchObject({ spec: { minAvailable: 1 } })
  })

  test('the ingress passes the app, all sites, and webhooks of the largest size', () => {
    const ingress = find('ingress.yaml', 'Ingress') as unknown as {
      metadata: { annotations: Readonly<Record<string, string>> }
      spec: { rules: readonly { host: string; http: { paths: readonly { backend: unknown }[] } }[] }
    }
    const shared = read('kubernetes/settings.env')
    const host = new URL(/^BASE_URL=(.*)$/m.exec(shared)?.[1] ?? '').host
    const domain = /^SITES_DOMAIN=(.*)$/m.exec(shared)?.[1]
    expect(ingress.spec.rules.map((rule) => rule.host)).toEqual([host, `*.${domain}`])
    const service = find('web.yaml', 'Service') as unknown as { metadata: { name: string }; spec: { ports: unknown } }
    expect(service.spec.ports).toMatchObject([{ name: 'http', targetPort: 'http' }])
    for (const { http } of ingress.spec.rules) {
      expect(http.paths.map(({ backend }) => backend)).toEqual([
        { service: { name: service.metadata.name, port: { name: 'http' } } },
      ])
    }
    expect(ingress.metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toBe('25m')
  })

  test('the number of workers follows a metric of the app', () => {
    const scaler = find('worker-scaling.yaml', 'HorizontalPodAutoscaler')
    const name = 'openapi_pages_queue_oldest_seconds'
    expect(scaler).toMatchObject({
      spec: { scaleTargetRef: { name: 'openapi-pages-worker' }, metrics: [{ external: { metric: { name } } }] },
    })
    expect(read('prometheus-rules.yaml')).toContain(name)
  })
})

describe('the compose file for several processes', () => {
  const text = read('compose.postgres.yaml')
  interface Service {
    readonly command?: readonly string[]
    readonly read_only?: boolean
    readonly ports?: readonly string[]
    readonly environment: Readonly<Record<string, string>>
    readonly stop_grace_period?: string
  }
  const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> }
  const ofApp = Object.entries(services).filter(([, { command }]) => command)

  test('starts two processes for requests and a worker, without rights or ports', async () => {
    const roles: (string | undefined)[] = []
    for (const [, service] of ofApp) {
      roles.push(await readRole(service.command ?? []))
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
      expect(service.ports).toBeUndefined()
      for (const name of Object.keys(service.environment)) expect(settingNames).toContain(name)
      const stopSeconds = Number(service.environment['STOP_TIMEOUT_SECONDS'] ?? settings.stopTimeoutSeconds.default)
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(stopSeconds)
    }
    expect(roles).toEqual(['web', 'web', 'worker'])
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['proxy'])
  })

  test('takes its variables from its example, and the proxy knows its processes', () => {
    const used = new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name]) => name))
    const defined = Array.from(read('example.postgres.env').matchAll(/^(\w+)=/gm), ([, name]) => name)
    expect([...used].sort()).toEqual(defined.sort())
    const caddyfile = read('Caddyfile.postgres')
    const inCaddyfile = new Set(Array.from(caddyfile.matchAll(/\{\$(\w+)\}/g), ([, name]) => name))
    expect(Object.keys(services['proxy']?.environment ?? {}).sort()).toEqual([...inCaddyfile].sort())
    expect(caddyfile).toContain('reverse_proxy web-1:3000 web-2:3000 {')
    expect(caddyfile).toMatch(/health_uri \/readyz/)
  })
})
