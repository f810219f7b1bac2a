import { describe, expect, test } from 'vitest';
import {
  networksOf,
  type PodSpec,
  readCompose,
  readInfra,
  readManifests,
  secretsOf,
} from '../support/manifests.ts';

/* What `infra/compose.yaml` and `infra/kubernetes/` grant, read from the files themselves. */

const compose = readCompose();
const services = Object.entries(compose.services);
const serviceOf = (name: string) =>
  compose.services[name] ?? expect.unreachable(`compose has ${name}`);
const relays = services.filter(([name]) => /^relay-\d+$/.test(name)).map(([name]) => name);

describe('compose', () => {
  test.each(services)(
    '%s runs without root, rights and a file system to write',
    (_name, service) => {
      expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service.read_only).toBe(true);
      expect(service.cap_drop).toEqual(['ALL']);
      expect(service.cap_add).toBeUndefined();
      expect(service.privileged).toBeUndefined();
      expect(service.network_mode).toBeUndefined();
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
      expect(service.volumes?.filter((volume) => volume.includes('docker.sock')) ?? []).toEqual([]);
    },
  );

  test('there is no default for a password, a key or a token, and none in the file', () => {
    const text = readInfra('compose.yaml');
    const defaults = [...text.matchAll(/\$\{(\w+):?-([^}]*)\}/g)].map(([, name]) => name);
    expect(defaults.filter((name) => /SECRET|PASSWORD|KEY|TOKEN/.test(name ?? ''))).toEqual([]);
    const variables = services.flatMap(([name, { environment = {} }]) =>
      Object.entries(environment).map(([variable, value]) => ({ name, variable, value })),
    );
    const isSecret = /(PASSWORD|SECRET|KEY)$/;
    const isDemanded = /^\$\{\w+:\?run .+\}$/;
    expect(
      variables.filter(({ variable, value }) => isSecret.test(variable) && !isDemanded.test(value)),
    ).toEqual([]);
    expect(
      variables.filter(({ variable, value }) => /_URL$/.test(variable) && new URL(value).password),
    ).toEqual([]);
    expect(variables.filter(({ variable }) => /INSECURE/.test(variable))).toEqual([]);
    expect(text).toMatch(/\$\{CLUSTER_SECRETS:\?run infra\/tooling\/make-cluster-secrets\.sh/);
    for (const { file } of Object.values(compose.secrets)) {
      expect(file).toMatch(/^\$\{CLUSTER_SECRETS\}\//);
    }
  });

  test('every engine is reached over TLS, with a user and an authority', () => {
    for (const name of ['command-api', 'projections', ...relays]) {
      const { environment = {} } = serviceOf(name);
      for (const engine of ['NATS', 'EVENTSTORE', 'DATABASE']) {
        const url = environment[`${engine}_URL`];
        if (url === undefined) continue;
        expect(new URL(url).username).not.toBe('');
        expect(environment[`${engine}_CA_FILE`]).toBe('/run/secrets/ca');
        expect(environment[`${engine}_PASSWORD_FILE`]).toMatch(/^\/run\/secrets\//);
      }
    }
    expect(readInfra('postgres/pg_hba.conf')).not.toMatch(/^\s*host(nossl)?\s/m);
    expect(serviceOf('postgres').command).toContain('ssl=on');
    expect(readInfra('nats/nats.conf')).toMatch(/^tls \{/m);
  });

  test('engines are on networks of their own, and a relay reaches NATS alone', () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      proxy: ['front'],
      'command-api': ['bus', 'events', 'front'],
      projections: ['bus', 'events', 'front', 'tables'],
      eventstore: ['events'],
      postgres: ['tables'],
      nats: ['bus'],
      'relay-key': ['events'],
      'projections-key': ['events'],
      ...Object.fromEntries(relays.map((name) => [name, ['bus', 'front']])),
    };
    expect(Object.fromEntries(services.map(([name, one]) => [name, networksOf(one)]))).toEqual(
      expected,
    );
    for (const name of ['bus', 'events', 'tables']) {
      expect(compose.networks[name]?.internal).toBe(true);
    }
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
  });

  test('each process gets the secrets of its purpose, and the master key is with one', () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      'command-api': ['ca', 'eventstore-password', 'nats-command-api-password', 'secret-key'],
      projections: ['ca', 'eventstore-password', 'nats-projections-password', 'postgres-password'],
      proxy: [],
      eventstore: ['ca', 'eventstore-certificate', 'eventstore-private-key'],
      postgres: ['postgres-certificate', 'postgres-password', 'postgres-private-key'],
      nats: ['nats-certificate', 'nats-passwords', 'nats-private-key'],
      // They end when they have printed the keys of the others.
      'relay-key': ['ca', 'eventstore-password', 'secret-key'],
      'projections-key': ['ca', 'eventstore-password', 'secret-key'],
      ...Object.fromEntries(relays.map((name) => [name, ['ca', `nats-${name}-password`]])),
    };
    expect(Object.fromEntries(services.map(([name, one]) => [name, secretsOf(one)]))).toEqual(
      expected,
    );
    for (const name of relays) {
      const { environment = {}, volumes = [] } = serviceOf(name);
      expect(environment.SECRET_KEY_FILE).toBe('/keys/relay');
      expect(volumes).toEqual([`${name}:/data`, 'relay-key:/keys:ro']);
    }
    expect(serviceOf('projections').environment?.SECRET_KEY_FILE).toBe('/keys/projections');
    expect(serviceOf('projections').volumes).toEqual(['projections-key:/keys:ro']);
  });

  test('what the secrets are made into is ignored by Git and by image builds', () => {
    expect(readInfra('../.gitignore')).toMatch(/^\/infra\/secrets\/$/m);
    expect(readInfra('../.dockerignore')).toMatch(/^infra\/secrets$/m);
    expect(readInfra('Dockerfile')).toMatch(/^USER 1000:1000$/m);
  });
});

describe('Kubernetes', () => {
  const manifests = readManifests();
  const pods = manifests.flatMap(({ metadata, spec }): [string, PodSpec][] =>
    spec?.template === undefined ? [] : [[metadata.name, spec.template.spec]],
  );
  const podOf = (name: string): PodSpec =>
    pods.find(([app]) => app === name)?.[1] ?? expect.unreachable(`there is ${name}`);

  test.each(pods)(
    'pods of %s have no root, no rights, no token and nothing to write',
    (_name, pod) => {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.serviceAccountName).toBeUndefined();
      expect([pod.hostNetwork, pod.hostPID]).toEqual([undefined, undefined]);
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
      expect(pod.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
      expect(pod.volumes.filter(({ hostPath }) => hostPath !== undefined)).toEqual([]);
      for (const { securityContext } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    },
  );

  test('the namespace admits nothing that requires more', () => {
    const namespace = manifests.find(({ kind }) => kind === 'Namespace');
    expect(namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce']).toBe('restricted');
  });

  const secretsOfPod = (name: string): readonly string[] =>
    podOf(name)
      .volumes.flatMap(({ secret }) =>
        secret === undefined
          ? []
          : (secret.items ?? [{ key: '*' }]).map(({ key }) => `${secret.secretName}/${key}`),
      )
      .toSorted();

  test('each process gets the secrets of its purpose, as files', () => {
    expect(secretsOfPod('command-api')).toEqual([
      'tollgate-ca/ca.crt',
      'tollgate-command-api/eventstore-password',
      'tollgate-command-api/nats-password',
      'tollgate-command-api/secret-key',
    ]);
    expect(secretsOfPod('projections')).toEqual([
      'tollgate-ca/ca.crt',
      'tollgate-projections/eventstore-password',
      'tollgate-projections/nats-password',
      'tollgate-projections/postgres-password',
      'tollgate-projections/secret-key',
    ]);
    // Of the passwords of all relays one file is mounted.
    expect(secretsOfPod('relay')).toEqual([
      'tollgate-ca/ca.crt',
      'tollgate-relay-key/secret-key',
      'tollgate-relay-passwords/*',
    ]);
    expect(readInfra('kubernetes/base/relay.yaml')).toMatch(
      /mountPath: \/run\/secrets\/nats-password\n\s+subPathExpr: \$\(RELAY_ID\)/,
    );
    expect(secretsOfPod('proxy')).toEqual([]);
    for (const [, pod] of pods) {
      for (const { env = [], envFrom } of pod.containers) {
        expect(envFrom).toBeUndefined();
        expect(env.filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined)).toEqual([]);
        expect(env.filter(({ name }) => /(PASSWORD|SECRET|KEY)$/.test(name))).toEqual([]);
      }
    }
  });

  const policyOf = (name: string) =>
    manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
      ?.spec ?? expect.unreachable(`there is a policy for ${name}`);
  const isPrivate = (name: string): readonly string[] =>
    (policyOf(name).egress ?? []).flatMap(({ to, ports = [] }) =>
      to === undefined ? ports.map(({ port }) => String(port)) : [],
    );
  const reachesOutside = (name: string, wanted: number): boolean =>
    (policyOf(name).egress ?? []).some(
      ({ to = [], ports = [] }) =>
        to.some(({ ipBlock }) => ipBlock !== undefined) &&
        ports.some(({ port, endPort = port }) => port <= wanted && wanted <= endPort),
    );

  test('no pod reaches another one without a rule, and a relay reaches no engine but NATS', () => {
    expect(policyOf('nothing-unless-said')).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    for (const [name] of pods) expect(policyOf(name).policyTypes).toEqual(['Ingress', 'Egress']);
    expect(isPrivate('relay')).toEqual(['53', '53', '4222']);
    expect(isPrivate('command-api')).toEqual(['53', '53', '4222', '2113']);
    expect(isPrivate('projections')).toEqual(['53', '53', '4222', '2113', '5432']);
    expect([2113, 5432, 443].map((port) => reachesOutside('relay', port))).toEqual([
      false,
      false,
      true,
    ]);
    expect([5432, 443].map((port) => reachesOutside('command-api', port))).toEqual([false, true]);
    for (const name of ['relay', 'command-api']) {
      for (const { to = [] } of policyOf(name).egress ?? []) {
        for (const { ipBlock } of to) expect(ipBlock?.except.length).toBeGreaterThan(2);
      }
    }
  });

  test('addresses of engines hold no password', () => {
    const text = readInfra('kubernetes/base/kustomization.yaml');
    for (const [, url = ''] of text.matchAll(/- \w+_URL=(\S+)/g)) {
      expect([url, new URL(url).password]).toEqual([url, '']);
    }
    expect(text).toContain('?tls=true');
  });
});
